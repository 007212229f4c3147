// Adds to the table the entries of a newer edition of Matomo's list that it lacks; existing ones are not moved or
// renamed. Run it by hand, then format the file and review what was added: the list has portals and typing errors among
// search engines.
//
//   npx tsx server/ingest/referrers/mergeMatomo.ts <folder of matomo-org/searchengine-and-social-list> <version>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import hosts from './hosts.json' with { type: 'json' };
import { knownReferrers } from './table.ts';

type Section = 'search' | 'social' | 'ai';

const [folder, version] = process.argv.slice(2);
if (!folder || !version) throw new Error('Usage: mergeMatomo.ts <folder> <version>');

/** Editions of one brand count as the brand: `Google Images` is google. */
const EDITION =
  / (?:images|blogsearch|custom search|maps|news|scholar|shopping|syndicated search|translations|videos?)$/;

const read = (name: string): Record<string, unknown> => parse(readFileSync(join(folder, name), 'utf8'));
const brandOf = (name: string) =>
  decodeURIComponent(name)
    .toLowerCase()
    .replace(/ \(.*\)$/, '')
    .replace(EDITION, '');
const bare = (host: string) =>
  host
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');

/** By the host or one of its parents. */
function isKnown(host: string): boolean {
  const known = knownReferrers.get(host);
  if (known) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    if (knownReferrers.get(host.slice(dot + 1))?.exact === false) return true;
  }
  return false;
}

function add(section: Section, name: string, urls: readonly string[]): void {
  const brands: Record<string, string[]> = hosts[section];
  // A path is never sent by today's browsers, and `{}` before a dot is covered by the parent.
  const fresh = urls.map(bare).filter((host) => !host.includes('/') && !host.startsWith('{}') && !isKnown(host));
  if (fresh.length === 0) return;
  const brand = brandOf(name);
  const [main, ...rest] = [...(brands[brand] ?? []), ...new Set(fresh)];
  brands[brand] = section === 'social' ? [main!, ...rest.sort()] : [main!, ...rest].sort();
  console.log(`${section} ${brand}: ${fresh.join(' ')}`);
}

for (const [name, definitions] of Object.entries(read('SearchEngines.yml') as Record<string, { urls: string[] }[]>))
  for (const { urls } of definitions) add('search', name, urls);
for (const [name, urls] of Object.entries(read('Socials.yml') as Record<string, string[]>)) add('social', name, urls);
for (const [name, urls] of Object.entries(read('AIAssistants.yml') as Record<string, string[]>)) add('ai', name, urls);

const sorted = <T>(brands: Record<string, T>) =>
  Object.fromEntries(Object.entries(brands).sort(([a], [b]) => (a < b ? -1 : 1)));
const table = {
  ...hosts,
  source: `https://github.com/matomo-org/searchengine-and-social-list ${version}; edited since`,
  search: sorted(hosts.search),
  social: sorted(hosts.social),
  ai: sorted(hosts.ai),
};
writeFileSync(new URL('hosts.json', import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
