// One line of a file of page views: what an import reads, and what an export writes.
import { z } from 'zod';
import { KEEP_DAYS } from '../../contract/limits.ts';
import { REFERRER_CATEGORIES } from '../../contract/referrers.ts';
import { DAY } from '../../durations.ts';
import type { EventRow } from '../../ingest/eventRow.ts';
import { withoutNul } from '../../ingest/parseEvent.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';
import { toListReport } from '../../ingest/steps/lists.ts';
import type { DropReason } from '../../ingest/types.ts';
import { parseViewTime } from '../../readers/viewColumns.ts';
import type { Site } from '../../sites/site.ts';

/** What became of a line. */
export type ViewOutcome = EventRow | DropReason | 'bad-date' | 'too-old';

/** Older events would be removed at once. */
const KEPT_MS = KEEP_DAYS * DAY;

/** A blank column of a CSV says nothing. */
const filled = <T extends z.ZodType>(type: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), type.optional());
const text = filled(z.string().max(8192));
const name = filled(z.string().max(8192).overwrite(withoutNul));
const list = filled(
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split('|') : value),
    z.array(z.string().max(100).overwrite(withoutNul)).max(10),
  ),
);

/** A line as other programs export it. */
const said = z.object({
  url: z.string(),
  date: z.union([z.string(), z.number()]),
  action: text,
  visitor: text,
  referrer: text,
  user_agent: text,
  seconds: filled(z.coerce.number().int().min(0).max(3600)),
});

/** What an export adds, because it was classified when it came in: it is taken as it is. */
const classified = z.object({
  visitor_hash: filled(
    z
      .string()
      .regex(/^\d{1,20}$/)
      .refine((digits) => BigInt(digits) < 2n ** 64n),
  ),
  video: name,
  referrer_type: filled(z.enum([...REFERRER_CATEGORIES, 'direct'])),
  referrer_name: name,
  referrer_host: name,
  referrer_url: name,
  campaign_id: name,
  campaign_medium: name,
  campaign_source: name,
  campaign_content: name,
  campaign_term: name,
  channel: filled(z.enum(['website', 'amp', 'apln-rta', 'fbia'])),
  device: filled(z.enum(['desktop', 'mobile', 'tablet'])),
  segments: list,
  network: filled(z.enum(['fb', 'tw', 'li', 'pi'])),
  conversion_type: name,
  conversion_label: name,
  // The pipeline reads them as it reads those of pages.
  lists: filled(z.array(z.unknown())),
});

const line = said.extend(classified.shape);
export type ViewLine = z.input<typeof classified> & {
  url: string;
  date: string | number;
  action?: string;
  seconds?: number;
};

/** The same words in a row of ours and in a file. */
const NAMES = {
  visitor: 'visitor_hash',
  video: 'video',
  referrerType: 'referrer_type',
  referrer: 'referrer_name',
  referrerHost: 'referrer_host',
  referrerUrl: 'referrer_url',
  campaignId: 'campaign_id',
  campaignMedium: 'campaign_medium',
  campaignSource: 'campaign_source',
  campaignContent: 'campaign_content',
  campaignTerm: 'campaign_term',
  channel: 'channel',
  device: 'device',
  segments: 'segments',
  network: 'network',
  conversionType: 'conversion_type',
  conversionLabel: 'conversion_label',
} as const satisfies Partial<Record<keyof EventRow, keyof z.infer<typeof classified>>>;

/**
 * Runs a line through the same steps as live traffic, as if it had arrived at its own time.
 * @param pipeline Finds the site by its id.
 */
export function importView(
  value: unknown,
  { site, now, pipeline }: { site: Site; now: number; pipeline: Pipeline },
): ViewOutcome {
  const parsed = line.safeParse(value);
  if (!parsed.success) return 'malformed';
  const { url, date, action = 'pageview', visitor, referrer, user_agent, seconds } = parsed.data;
  const time = parseViewTime(date);
  if (time === undefined || time > now) return 'bad-date';
  if (time < now - KEPT_MS) return 'too-old';
  const event = {
    idsite: site.id,
    action,
    url,
    date: time,
    urlref: referrer,
    inc: seconds,
    data: {
      parsely_site_uuid: visitor,
      network: parsed.data.network,
      _conversion_type: parsed.data.conversion_type,
      _conversion_label: parsed.data.conversion_label,
    },
    metadata: { link: parsed.data.video },
    lists: parsed.data.lists,
  };
  // No address: a line without a visitor counts for none, not for one unknown visitor.
  const outcome = pipeline.run(event, { ip: '', userAgent: user_agent ?? '', referer: '' }, time);
  if ('drop' in outcome) return outcome.drop;
  const { key: _, ...row } = outcome.row;
  return { ...row, ...known(parsed.data) };
}

function known(from: z.infer<typeof classified>): Partial<EventRow> {
  const pairs = Object.entries(NAMES).flatMap(([ours, theirs]) =>
    from[theirs] === undefined ? [] : [[ours, from[theirs]]],
  );
  return Object.fromEntries(pairs);
}

/** @returns Only what says something: blanks are left out. */
export function exportView(row: EventRow): ViewLine {
  const pairs = Object.entries(NAMES).flatMap(([ours, theirs]) => {
    const value = row[ours as keyof typeof NAMES];
    return value === '' || value.length === 0 ? [] : [[theirs, value]];
  });
  return {
    url: row.url,
    date: new Date(row.time).toISOString(),
    action: row.action,
    ...(row.seconds === 0 ? {} : { seconds: row.seconds }),
    ...Object.fromEntries(pairs),
    ...(row.lists && { lists: row.lists.map(toListReport) }),
  };
}
