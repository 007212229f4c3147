// The quotas of a site on the command line: its options, and how they are printed with what is used of them.
import { type Command, InvalidArgumentError } from 'commander';
import { inDigits } from '../counted.ts';
import { QUOTA_BOUNDS, type QuotaChange, type QuotaName } from '../sites/siteQuotas.ts';
import type { SiteInfo } from './admin/siteInfo.ts';
import { inBytes } from './output.ts';

/** 0 is what `none` becomes: commander takes no null for a value. */
export interface QuotaFlags {
  keepEvents?: number;
  maxEventsPerDay?: number;
  maxPosts?: number;
  maxDisk?: number;
}

export function quotaOptions(command: Command): Command {
  return command
    .option(
      '--keep-events <days>',
      'remove events, and what holds readers, of days longer ago; sums by day stay; none: 400 days, as the tables do',
      wholeNumber('keepEvents', 'days'),
    )
    .option(
      '--max-events-per-day <number>',
      "events taken in a day of the site; beyond it, 429 until the site's midnight; none: no limit",
      wholeNumber('maxEventsPerDay', 'events'),
    )
    .option(
      '--max-posts <number>',
      'posts, pages and videos stored; beyond it, known ones are changed and no new one is added; none: no limit',
      wholeNumber('maxPosts', 'posts'),
    )
    .option(
      '--max-disk <size>',
      'room in the database, such as 500M or 20G; beyond it, the oldest days of events are removed; none: no limit',
      size,
    );
}

export function toQuotas({ keepEvents, maxEventsPerDay, maxPosts, maxDisk }: QuotaFlags): QuotaChange {
  const orNull = (value: number | undefined) => (value === 0 ? null : value);
  return {
    keepEvents: orNull(keepEvents),
    maxEventsPerDay: orNull(maxEventsPerDay),
    maxPosts: orNull(maxPosts),
    maxDisk: orNull(maxDisk),
  };
}

const isNone = (text: string) => text.trim().toLowerCase() === 'none';

function wholeNumber(name: QuotaName, unit: string): (text: string) => number {
  const { min, max } = QUOTA_BOUNDS[name];
  return (text) => {
    if (isNone(text)) return 0;
    const value = /^\d{1,16}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It takes a whole number of ${unit} from ${min} to ${max}, or none.`);
  };
}

const POWERS: Record<string, number> = { M: 2, G: 3, T: 4 };

/** Bytes of `500M`, `20G` or `1.5T`, in powers of 1024, as sizes are printed. */
function size(text: string): number {
  if (isNone(text)) return 0;
  const [, count = '', unit = ''] = /^(\d{1,7}(?:\.\d{1,3})?)([MGT])(?:i?B)?$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(count) * 1024 ** (POWERS[unit.toUpperCase()] ?? Number.NaN));
  if (bytes >= QUOTA_BOUNDS.maxDisk.min && bytes <= QUOTA_BOUNDS.maxDisk.max) return bytes;
  throw new InvalidArgumentError('It takes a size such as 500M, 20G or 1T, at least 1M; or none.');
}

const of = (used: number | undefined, limit: number, inWords: (value: number) => string) =>
  `${used === undefined ? 'unknown' : inWords(used)} of ${inWords(limit)}`;

/** Of `site show`. */
export function quotaLines({ quotas, used }: SiteInfo): string[] {
  const { keep_events: days, max_events_per_day: events, max_posts: posts, max_disk: disk } = quotas;
  return [
    `keep events      ${days === null ? '400 days' : `${days} days`}`,
    `events a day     ${events === null ? 'no limit' : `${of(used?.events, events, inDigits)} today`}`,
    `posts            ${posts === null ? 'no limit' : of(used?.posts, posts, inDigits)}`,
    `disk             ${disk === null ? 'no limit' : `about ${of(used?.disk, disk, inBytes)}`}`,
  ];
}

/** Of `site list`. */
export function quotaCell({ quotas, used }: SiteInfo): string {
  const { keep_events: days, max_events_per_day: events, max_posts: posts, max_disk: disk } = quotas;
  const share = (name: string, value: number | undefined, limit: number | null) =>
    limit === null ? [] : [`${name} ${value === undefined ? '?' : Math.floor((value / limit) * 100)} %`];
  return [
    ...(days === null ? [] : [`${days} days`]),
    ...share('events', used?.events, events),
    ...share('posts', used?.posts, posts),
    ...share('disk', used?.disk, disk),
  ].join(', ');
}
