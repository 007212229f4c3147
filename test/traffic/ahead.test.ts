// An event can be read a moment before its roll-up, and days are counted less what came after the period: a page whose only view
// came after it, and is not rolled up yet, was not viewed; it does not come first with a view less than none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPosts, rank, rankFacets } from '../../server/rankings/rankings.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import type { Scope } from '../../server/traffic/scope.ts';
import { scratch, silent } from '../storage/scratch.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const SITE = parseSiteId('ahead.example')!;
const [read, unread] = ['https://ahead.example/read', 'https://ahead.example/unread'] as const;
const place = scratch();
let engine: Engine;

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => NOW });
  const known = { site: SITE, page_type: 'post', updated_at: NOW, deleted: 0 };
  await engine.insert('posts', [
    { ...known, url: read },
    { ...known, url: unread },
  ]);
  const view = { site: SITE, day: '2040-03-20', action: 'pageview', referrer_type: 'search', channel: 'website' };
  await engine.insert('events', [
    { ...view, time: NOW - 1000, url: read, referrer: 'bing', visitor: '1', device: 'mobile' },
  ]);
  await engine.command('DROP VIEW post_days_of_pages');
  await engine.command('DROP VIEW facet_days_of_pages');
  await engine.insert('events', [
    { ...view, time: NOW + 1, url: unread, referrer: 'qwant', visitor: '2', device: 'mobile' },
  ]);
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const scope: Scope = { site: SITE, zone: 'UTC', period: { start: NOW - 86_400_000, end: NOW }, excluded: new Set() };
const page = { sort: 'views', limit: 10, offset: 0 } as const;

test('a view that came after the period, and is not in a roll-up yet, counts nowhere', async () => {
  const store = createTrafficStore(engine);
  const posts = await rank(store, { key: 'post', scope, ...page });
  expect(posts.records).toEqual([{ name: read, hits: 1, metrics: { views: 1 } }]);
  const engines = await rankFacets(store, { by: { facets: ['referrer_search'] }, scope, ...page });
  expect(engines.records.map(({ name, hits }) => [name, hits])).toEqual([['bing', 1]]);
  const counts = await countPosts(store, { scope, urls: [read], metrics: ['views', 'visitors'] });
  expect(counts.get(read)).toEqual({ views: 1, visitors: 1 });
});
