// A list of posts looks up the names of the first pages only. It says what one statement over all pages says: with pages among the
// first that are no posts, with aliases, with many of equal numbers, and for pages of the list further on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rankRows } from '../../server/rankings/rankRows.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import { compileRank, type RankQuestion } from '../../server/traffic/rank.ts';
import { scratch, silent } from '../storage/scratch.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const SITE = parseSiteId('first.example')!;
const PAGES = 240;
const url = (page: number) => `https://first.example/${page}`;
const place = scratch();
let engine: Engine;

/** Page 0 is seen most; from page 30 on, every twenty pages are seen equally often. */
const viewsOf = (page: number) => (page < 30 ? 60 - page : 25 - Math.floor(page / 20));

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => NOW });
  const pages = Array.from({ length: PAGES }, (_, page) => page);
  await engine.insert(
    'posts',
    pages.map((page) => ({
      site: SITE,
      url: url(page),
      page_type: page % 7 === 0 ? 'index' : 'post',
      pub_date: page % 5 === 0 ? NOW + 1 : NOW - 1000,
      updated_at: NOW,
      deleted: page % 11 === 0 ? 1 : 0,
    })),
  );
  // Two addresses of one post, and one whose canonical address is an alias itself.
  const aliases = [
    [url(1), url(2)],
    [url(40), url(2)],
    [url(8), url(9)],
    [url(9), url(10)],
  ];
  await engine.insert(
    'aliases',
    aliases.map(([alias, canonical]) => ({ site: SITE, alias, canonical, updated_at: NOW, deleted: 0 })),
  );
  const seen = pages.flatMap((page) => Array.from({ length: viewsOf(page) }, (_, view) => ({ page, view })));
  await engine.insert(
    'events',
    seen.map(({ page, view }) => ({
      site: SITE,
      day: '2040-03-20',
      action: 'pageview',
      time: NOW - 1000 - view,
      url: url(page),
      visitor: String(view + 1),
      channel: 'website',
      device: view % 3 === 0 ? 'mobile' : 'desktop',
    })),
  );
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const scope: RankQuestion['scope'] = {
  site: SITE,
  zone: 'UTC',
  period: { start: NOW - 86_400_000, end: NOW },
  excluded: new Set([url(3), url(31)]),
};
const question: RankQuestion = { key: 'post', scope, sort: 'views', limit: 5, offset: 0 };

test.each<[name: string, question: RankQuestion]>([
  ['the first ones', question],
  ['further on, among equal numbers', { ...question, limit: 30, offset: 37 }],
  ['by another metric', { ...question, sort: 'mobile_views', limit: 50, nonZero: true }],
  ['by a sum', { ...question, sort: 'social_referrals', limit: 20 }],
  ['by a share', { ...question, sort: 'recirculation_rate', limit: 20 }],
  ['all there are, and one more', { ...question, limit: 300 }],
  ['after the last one', { ...question, limit: 10, offset: 300 }],
  [
    'those that are out by now',
    { ...question, scope: { ...scope, posts: { published: { start: undefined, end: NOW } } } },
  ],
])('%s', async (_, asked) => {
  const store = createTrafficStore(engine);
  expect(await rankRows(store, asked)).toEqual(await store.run(compileRank(asked)));
});

test('names the pages of each post, as one statement does', async () => {
  const store = createTrafficStore(engine);
  const asked = { ...question, withPages: [] };
  const sorted = (rows: Record<string, unknown>[]) =>
    rows.map((row) => ({ ...row, pages: [...(row.pages as string[])].sort() }));
  expect(sorted(await rankRows(store, asked))).toEqual(sorted(await store.run(compileRank(asked))));
});

test('a site where nearly everything that is read is no post', async () => {
  const store = createTrafficStore(engine);
  const asked = {
    ...question,
    scope: { ...scope, excluded: new Set(Array.from({ length: 200 }, (_, page) => url(page))) },
  };
  const rows = await rankRows(store, asked);
  expect(rows).toHaveLength(6);
  expect(rows).toEqual(await store.run(compileRank(asked)));
});
