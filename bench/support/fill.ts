// Fills an engine with a site's traffic in bulk: believable in shape (few posts take most views, most visitors come seldom),
// the same every time, in order of time, and made by the engine itself, so that fifty million events take minutes instead of hours.
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { connect, type EngineOptions } from '../../server/storage/connect.ts';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { isRollUp, type Table } from '../../server/storage/schema/table.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';

export interface FillOptions {
  engine: EngineOptions;
  site: string;
  /** Epoch milliseconds of the newest event. */
  now: number;
  events: number;
  days: number;
  posts: number;
  /** So many of the posts, those that are viewed most, are index pages. Default: none. */
  indexPages?: number;
  visitors: number;
  /** Called after each part, with the events stored so far. */
  onProgress?: (stored: number) => void;
}

/** Rows a statement: all views of a part are in memory at once, and a million rows take a gigabyte. */
const PART = 250_000;

/** Of ten events seven are views, and three are of a view before them: they repeat its columns, a little later. */
const VIEW = 'if(number % 10 < 7, number, number - 7)';

/** Uniform in 0..1, by view and purpose; finer than there are visitors. */
const chance = (purpose: number) => `(cityHash64(seed, ${purpose}) / 18446744073709551616.)`;

const pageUrl = (index: string) => `concat('https://', {site:String}, '/articles/', toString(${index}))`;

/** As the server numbers visitors: in 48 bits. */
export const visitorOf = (index: string) => `bitShiftRight(sipHash64(${index}), 16)`;

const EVENTS = `
INSERT INTO events (site, day, time, action, url, visitor, seconds, referrer_type, referrer, referrer_url, campaign_id, campaign_medium,
  campaign_source, channel, device, segments, network)
WITH
  ${VIEW} AS seed,
  multiIf(number % 10 < 7, 'pageview', number % 100 < 99, 'heartbeat', 'share') AS kind,
  toUInt64({now:Int64} - {days:UInt32} * 86400000 + (seed + ${chance(1)}) / {events:UInt64} * {days:UInt32} * 86400000)
    + if(kind = 'pageview', 0, 5500 + number % 9000) AS moment,
  least(moment, toUInt64({now:Int64})) AS at,
  floor(pow(${chance(2)}, 3) * {posts:UInt32}) AS page,
  ${chance(4)} AS came,
  multiIf(came < 0.35, 'direct', came < 0.6, 'search', came < 0.8, 'social', came < 0.95, 'internal', 'other') AS type
SELECT {site:String}, toDate(toDateTime(intDiv(at, 1000), 'UTC')), at, kind,
  ${pageUrl('toUInt32(page)')},
  ${visitorOf(`floor(pow(${chance(5)}, 2) * {visitors:UInt32})`)},
  if(kind = 'heartbeat', 5 + number % 11, 0),
  type,
  multiIf(type = 'direct', '', type = 'search', ['google', 'google', 'google', 'bing', 'duckduckgo'][seed % 5 + 1],
    type = 'social', ['facebook', 'twitter', 'linkedin', 'pinterest', 'reddit'][seed % 5 + 1],
    type = 'internal', {site:String}, concat('site', toString(seed % 400), '.example')),
  if(type = 'internal', ${pageUrl(`toUInt32(pow(${chance(6)}, 3) * {posts:UInt32})`)}, ''),
  if(seed % 9 = 0, concat('campaign-', toString(seed % 40)), ''),
  if(seed % 9 = 0, ['email', 'social', 'cpc'][seed % 3 + 1], ''),
  if(seed % 9 = 0, ['newsletter', 'partner'][seed % 2 + 1], ''),
  if(${chance(7)} < 0.9, 'website', 'amp'),
  multiIf(${chance(8)} < 0.5, 'mobile', ${chance(8)} < 0.9, 'desktop', 'tablet'),
  if(seed % 6 = 0, ['members'], []),
  if(kind = 'share', ['fb', 'tw', 'li', 'pi'][number % 4 + 1], '')
FROM numbers({from:UInt64}, {count:UInt64})`;

const POSTS = `
INSERT INTO posts (site, url, page_type, title, pub_date, section, authors, tags, word_count, updated_at, deleted)
SELECT {site:String}, ${pageUrl('number')}, if(number < {indexPages:UInt32}, 'index', 'post'), concat('Article number ', toString(number)),
  {now:Int64} - toInt64(cityHash64(number, 9) % {days:UInt32} * 86400000),
  ['World', 'Politics', 'Sport', 'Culture', 'Science', 'Business', 'Travel', 'Opinion'][cityHash64(number, 10) % 8 + 1],
  [concat('Author ', toString(cityHash64(number, 11) % 200))],
  arrayMap(n -> concat('tag ', toString(cityHash64(number, n) % 1000)), [12, 13, 14]), 500 + number % 1000, {now:Int64}, 0
FROM numbers({posts:UInt32})`;

/** Resolves when everything is stored. */
export async function fill(options: FillOptions): Promise<void> {
  const { site, now, events, days, posts, indexPages = 0, visitors } = options;
  const engine = await connect(options.engine);
  await upgrade(engine, { log: pino({ level: 'silent' }), now: () => now });
  await engine.command(POSTS, { site, now, days, posts, indexPages });
  for (let from = 0; from < events; from += PART) {
    const count = Math.min(PART, events - from);
    await engine.command(EVENTS, { site, now, days, posts, visitors, events, from, count });
    options.onProgress?.(from + count);
  }
  await engine.close();
}

const isMergedAfterADay = (table: Table): boolean =>
  isRollUp(table) || table.settings?.min_age_to_force_merge_seconds !== undefined;

/**
 * Resolves when nothing is left to merge: months that are over, and what has no months, in one part, which the engine does a day after
 * the last event.
 */
export async function settle(options: EngineOptions, now: number): Promise<void> {
  const engine = await connect(options);
  const grown = await engine.rows<{ table: string; partition_id: string }>(
    `SELECT table, partition_id FROM system.parts WHERE active AND database = currentDatabase() AND table IN {tables:Array(String)}
     AND (partition_id = 'all' OR partition < toString(toYYYYMM(fromUnixTimestamp64Milli({now:Int64}, 'UTC')))) GROUP BY table, partition_id HAVING count() > 1`,
    { tables: SCHEMA.tables.filter(isMergedAfterADay).map(({ name }) => name), now },
  );
  for (const { table, partition_id } of grown)
    await engine.command(`OPTIMIZE TABLE ${table} PARTITION ID '${partition_id}' FINAL`);
  for (let quiet = 0; quiet < 4; ) {
    const [row] = await engine.rows<{ n: number }>('SELECT count() AS n FROM system.merges');
    quiet = row?.n === 0 ? quiet + 1 : 0;
    await setTimeout(500);
  }
  await engine.close();
}
