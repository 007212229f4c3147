// What `afterword site change` says beside the site: what a change means for views.
import type { SiteInfo } from './admin/siteInfo.ts';

/** @param before The site as it was. */
export const changeLines = (before: SiteInfo, now: SiteInfo): string[] => [
  ...zoneLines(before, now),
  ...hostLines(before, now),
];

/** Views are put into days when they come in. */
const zoneLines = (before: SiteInfo, now: SiteInfo): string[] =>
  before.timezone === now.timezone
    ? []
    : [
        `Views counted until now stay in days of ${before.timezone}; those from now on are counted in days of ${now.timezone}.`,
      ];

/** `--domain` takes the whole list: one host, as given to add it, takes the place of all others. */
function hostLines(before: SiteInfo, now: SiteInfo): string[] {
  const removed = before.domains.filter((host) => !now.domains.includes(host));
  if (removed.length === 0) return [];
  const all = [...removed, ...now.domains].map((host) => `--domain ${host}`);
  return [
    `Removed from the hosts of the site, as --domain takes all of them: ${removed.join(', ')}. With them: afterword site change ${now.apikey} ${all.join(' ')}`,
  ];
}
