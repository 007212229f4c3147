// Distinct visitors are counted by sketches: within two percent where they are many, exact where they are few.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countPosts, rank, rankFacets, rankVideos } from '../../server/rankings/rankings.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import type { FacetFilter, Scope } from '../../server/traffic/scope.ts';
import { scratch, silent } from '../storage/scratch.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const DAY = 86_400_000;
const SITE = parseSiteId('crowd.example')!;
const place = scratch();
let engine: Engine;

/** Four views of a visitor, or starts of a video, on four days; no visitor reads two posts. */
const CROWD = `
INSERT INTO events (site, day, time, action, url, video, visitor, referrer_type, referrer, campaign_id, segments, channel, device)
SELECT {site:String}, toDate(toDateTime(intDiv(at, 1000), 'UTC')), toUInt64({now:Int64} - number % 4 * 86400000) AS at,
  {action:String}, {url:String}, if({action:String} = 'videostart', concat({url:String}, '/film'), ''), sipHash64(intDiv(number, 4), {url:String}),
  'search', 'google', 'spring', ['members'], 'website', 'desktop'
FROM numbers({visitors:UInt32} * 4)`;

const posts = new Map([
  ['https://crowd.example/few', 7],
  ['https://crowd.example/some', 3_000],
  ['https://crowd.example/many', 40_000],
]);

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => NOW });
  for (const [url, visitors] of posts) {
    for (const action of ['pageview', 'videostart'])
      await engine.command(CROWD, { site: SITE, now: NOW, url, visitors, action });
    const described = { authors: ['Ann', 'Bob'], section: 'World', tags: ['x'], updated_at: NOW, deleted: 0 };
    await engine.insert('posts', [
      { site: SITE, url, page_type: 'post', ...described },
      { site: SITE, url: `${url}/film`, page_type: 'video', ...described },
    ]);
  }
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const EVERYBODY = [...posts.values()].reduce((sum, visitors) => sum + visitors, 0);

const scopeOf = (days: number): Scope => ({
  site: SITE,
  zone: 'UTC',
  period: { start: NOW - days * DAY, end: NOW },
  excluded: new Set(),
});

const OF_MEMBERS: readonly FacetFilter[] = [{ facets: ['segment'], values: ['members'] }];

function expectNear(counted: number | undefined, exact: number): void {
  const error = Math.abs(counted! - exact) / exact;
  expect(error).toBeLessThanOrEqual(exact < 1000 ? 0 : 0.02);
}

describe.each([1, 3, 30])('over %i days', (days) => {
  const page = { scope: scopeOf(days), limit: 10, offset: 0 };
  // All came first three days ago.
  const news = days >= 3 ? { visitors_new: 1, visitors_returning: 0 } : { visitors_new: 0, visitors_returning: 1 };

  test('of posts', async () => {
    const { records } = await rank(createTrafficStore(engine), { ...page, key: 'post', sort: 'visitors' });
    expect(records.map(({ name }) => name)).toEqual([...posts.keys()].reverse());
    for (const { name, metrics } of records) expectNear(metrics.visitors, posts.get(name)!);
  });

  test.each(['author', 'section', 'tag'] as const)('of everything under one %s', async (key) => {
    for (const [sort, share] of Object.entries({ visitors: 1, ...news }) as [keyof typeof news, number][]) {
      const { records } = await rank(createTrafficStore(engine), { ...page, key, sort });
      // All posts have two authors, and the visitors of a post are visitors of both.
      if (share > 0) expect(records).toHaveLength(key === 'author' ? 2 : 1);
      for (const { metrics } of records) {
        if (share === 0) expect(metrics[sort]).toBe(0);
        else expectNear(metrics[sort], EVERYBODY);
      }
    }
  });

  test.each([
    ...(['channel', 'segment', 'campaign_id', 'referrer_search'] as const).map(
      (facet) => [facet, 'all visits', []] as const,
    ),
    ['channel', 'those of a segment', OF_MEMBERS] as const,
  ])('of one %s of %s', async (facet, _, facets) => {
    for (const sort of ['visitors', news.visitors_new ? 'visitors_new' : 'visitors_returning'] as const) {
      const question = { ...page, scope: { ...page.scope, facets }, by: { facets: [facet] as [typeof facet] }, sort };
      const { records } = await rankFacets(createTrafficStore(engine), question);
      expectNear(records[0]?.metrics[sort], EVERYBODY);
    }
  });

  test('of one post, and of a part of its visits', async () => {
    for (const facets of [[], OF_MEMBERS]) {
      const scope: Scope = { ...scopeOf(days), facets };
      const urls = [...posts.keys()];
      const counts = await countPosts(createTrafficStore(engine), { scope, urls, metrics: ['visitors'] });
      for (const [url, visitors] of posts) expectNear(counts.get(url)?.visitors, visitors);
    }
  });

  test('of videos', async () => {
    const { records } = await rankVideos(createTrafficStore(engine), { ...page, sort: 'viewers' });
    expect(records.map(({ name }) => name)).toEqual([...posts.keys()].reverse().map((url) => `${url}/film`));
    for (const { name, metrics } of records) expectNear(metrics.viewers, posts.get(name.replace('/film', ''))!);
  });
});
