// Fills a database with sites by the hundred: posts with texts of a few hundred words, and views of the last day, made by the engine.
import { pino } from 'pino';
import { connect, type EngineOptions } from '../../server/storage/connect.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';

export interface ManySites {
  engine: EngineOptions;
  /** Small sites, `site-0.example` and so on. */
  sites: number;
  postsEach: number;
  /** Posts of one site beside them, `large.example`. Default: there is none. */
  large?: number;
  /** Epoch milliseconds. */
  now: number;
}

export const LARGE_SITE = 'large.example';
export const smallSite = (number: number): string => `site-${number}.example`;
export const addressOf = (site: string, post: number): string => `https://${site}/articles/${post}`;

/** Posts a statement: their texts are in memory at once. */
const PART = 20_000;
const WORDS = 300;
const VIEWS_EACH = 20;

/** Each site has every quota: what watches over them is part of what a server costs while nothing happens. */
const FEATURES = `now() AS t, 'UTC' AS timezone, [] AS domains, true AS feature_top, true AS feature_recommendations,
  300 AS keep_events, 1000000 AS max_events_per_day, 1000000 AS max_posts, 100000000000 AS max_disk`;
const COLUMNS =
  'site, timezone, domains, feature_top, feature_recommendations, keep_events, max_events_per_day, max_posts, max_disk';

/** Frequent words are frequent, as in any language. */
const TEXT = `arrayStringConcat(arrayMap(i -> concat('w',
  toString(toUInt32(pow(cityHash64(number, site, i) / 18446744073709551616., 3) * 20000))), range({words:UInt32})), ' ')`;

const POSTS = `
INSERT INTO posts (site, url, page_type, title, full_content, pub_date, section, authors, tags, word_count, language, updated_at, deleted)
SELECT SITE AS site, concat('https://', site, '/articles/', toString(POST)), 'post',
  arrayStringConcat(arraySlice(splitByChar(' ', ${TEXT} AS text), 1, 8), ' '), text,
  {now:Int64} - toInt64(cityHash64(number, 9) % 400) * 86400000, concat('Section ', toString(number % 8)),
  [concat('Author ', toString(number % 40))], [concat('tag ', toString(number % 100))], {words:UInt32}, 'en', 1, 0
FROM numbers({from:UInt64}, {count:UInt64})`;

const VIEWS = `
INSERT INTO events (site, day, time, action, url, visitor, referrer_type, channel, device)
SELECT concat('site-', toString(number % {sites:UInt32}), '.example') AS site,
  toDate(toDateTime(intDiv({now:Int64} - 3600000, 1000), 'UTC')), {now:Int64} - 3600000 + number % 1000, 'pageview',
  concat('https://', site, '/articles/', toString(number % 50)), sipHash64(number), 'direct', 'website', 'desktop'
FROM numbers({count:UInt64})`;

/** Resolves when all is stored. */
export async function fillSites({ engine: options, sites, postsEach, large = 0, now }: ManySites): Promise<void> {
  const engine = await connect(options);
  await upgrade(engine, { log: pino({ level: 'silent' }), now: () => now });
  const names = `SELECT ${COLUMNS}, '' AS secret_hash, '' AS write_secret_hash,
    {now:Int64}, {now:Int64} FROM (SELECT NAME AS site, ${FEATURES} FROM numbers({count:UInt64}))`;
  const columns = `${COLUMNS}, secret_hash, write_secret_hash, created_at, updated_at`;
  const addSites = (name: string, count: number) =>
    engine.command(`INSERT INTO sites (${columns}) ${names.replace('NAME', name)}`, { now, count });
  await addSites(`concat('site-', toString(number), '.example')`, sites);
  if (large > 0) await addSites(`'${LARGE_SITE}'`, 1);
  const addPosts = async (site: string, { post, total }: { post: string; total: number }) => {
    const sql = POSTS.replace('SITE', site).replace('POST', post);
    for (let from = 0; from < total; from += PART) {
      await engine.command(sql, { now, words: WORDS, from, count: Math.min(PART, total - from) });
    }
  };
  await addPosts(`concat('site-', toString(intDiv(number, ${postsEach})), '.example')`, {
    post: `number % ${postsEach}`,
    total: sites * postsEach,
  });
  if (large > 0) await addPosts(`'${LARGE_SITE}'`, { post: 'number', total: large });
  await engine.command(VIEWS, { now, sites, count: sites * VIEWS_EACH });
  await engine.close();
}
