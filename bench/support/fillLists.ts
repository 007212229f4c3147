// Fills an engine with what pages report of their lists, after its events (fill.ts): four items a list, most of them seen, a click
// in every fiftieth report, and the views and engaged seconds that follow the clicks. Related lists are those of their page, with an
// item of the reader's own in most of them; most read lists are those of their hour.
import { connect } from '../../server/storage/connect.ts';
import { type FillOptions, visitorOf } from './fill.ts';

export interface FillListsOptions extends Omit<FillOptions, 'events' | 'visitors'> {
  reports: number;
  visitors: number;
}

const PART = 250_000;
const CLICK_EVERY = 50;

const chance = (purpose: number) => `(cityHash64(number, ${purpose}) / 18446744073709551616.)`;
const pageUrl = (index: string) => `concat('https://', {site:String}, '/articles/', toString(${index}))`;

const REPORTS = `
INSERT INTO ledger (site, day, time, url, visitor, channel, device, list, slot, layout, experiment, variant, shown, positions, urls, sources,
  seen, clicks, alternatives)
WITH
  toUInt64({now:Int64} - {days:UInt32} * 86400000 + (number + ${chance(21)}) / {reports:UInt64} * {days:UInt32} * 86400000) AS at,
  number % ${CLICK_EVERY} = 0 AS is_click,
  if(is_click, [toUInt8(number % 7 % 4 + 1)], [1, 2, 3, 4]) AS places,
  toUInt32(floor(pow(${chance(23)}, 3) * {posts:UInt32})) AS page,
  number % 4 = 0 AS is_top,
  arrayMap(place -> multiIf(is_top, cityHash64(intDiv(at, 3600000), place), place = number % 5, cityHash64(number, 22),
    cityHash64(page, place, 22)), places) AS items
SELECT {site:String}, toDate(toDateTime(intDiv(at, 1000), 'UTC')), at,
  ${pageUrl('page')},
  ${visitorOf(`floor(pow(${chance(24)}, 2) * {visitors:UInt32})`)},
  if(${chance(25)} < 0.9, 'website', 'amp'), if(${chance(26)} < 0.6, 'mobile', 'desktop'),
  if(is_top, 'top', 'related'), ['end', 'aside', 'inline'][number % 3 + 1], ['list', 'grid'][number % 2 + 1],
  if(number % 5 = 0, 'order', ''), if(number % 5 = 0, ['a', 'b'][intDiv(number, 5) % 2 + 1], ''),
  not is_click, places,
  arrayMap(item -> ${pageUrl('toUInt32(floor(pow(item / 18446744073709551616., 2) * {posts:UInt32}))')}, items),
  arrayMap(place -> ['words', 'readers', 'recent', 'popular'][place], places),
  if(is_click, [0], [1, 1, 1, number % 2]), arrayMap(place -> toUInt8(is_click), places), arrayMap(place -> 0, places)
FROM numbers({from:UInt64}, {count:UInt64})`;

/** Of most clicks a view, and of most of these an engaged reader. */
const FOLLOWED = `
INSERT INTO events (site, day, time, action, url, visitor, seconds, referrer_type, referrer, referrer_url, channel, device)
WITH time + if(kind = 1, 2000, 30000) AS at
SELECT site, toDate(toDateTime(intDiv(at, 1000), 'UTC')), at, if(kind = 1, 'pageview', 'heartbeat'), urls[1], visitor, if(kind = 1, 0, 20),
  if(kind = 1, 'internal', 'direct'), if(kind = 1, {site:String}, ''), if(kind = 1, url, ''), channel, device
FROM ledger ARRAY JOIN [1, 2] AS kind
WHERE site = {site:String} AND has_clicks AND time % 10 < 10 - kind AND day = {day:Date}`;

/** Resolves when everything is stored. */
export async function fillLists(options: FillListsOptions): Promise<void> {
  const { site, now, reports, days, posts, visitors, onProgress } = options;
  const engine = await connect(options.engine);
  for (let from = 0; from < reports; from += PART) {
    const count = Math.min(PART, reports - from);
    await engine.command(REPORTS, { site, now, days, posts, visitors, reports, from, count });
    onProgress?.(from + count);
  }
  const dates = await engine.rows<{ date: string }>('SELECT DISTINCT toString(day) AS date FROM ledger ORDER BY date');
  for (const { date } of dates) await engine.command(FOLLOWED, { site, day: date });
  await engine.close();
}
