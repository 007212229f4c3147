// The operator's list of sites over HTTP: its figures, what it finds, its orders, and what many sites cost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { type OperatorSitesAnswer, SITES_ON_PAGE } from '../../server/contract/operator.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { BROWSER } from '../support/beacons.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { ORIGIN, type SessionBody, visitor } from './support.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 5, 5, 8, 10);
const TOKEN = 'token-of-the-operator';
const AUCKLAND = 'Pacific/Auckland';
/** In Auckland it is nine in the evening: its today began at noon of the day before. */
const EARLIER_TODAY = NOW - 15 * HOUR;

let room: Newsroom;
let ask: (query?: string) => Promise<OperatorSitesAnswer & { success: boolean }>;
/** Questions to the database, by name. */
const asked: string[] = [];

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const { store, sites, partners } = room.deps;
  await partners.add({ name: 'agency', secretHash: hashSecret('agency'), createdAt: NOW });
  const add = async (id: string, of: Partial<typeof room.site>) => {
    await sites.add({ ...room.site, id: parseSiteId(id)!, ...of });
    return parseSiteId(id)!;
  };
  const far = await add('far.example', { timezone: AUCKLAND, domains: ['kiwi.example'] });
  await add('silent.example', {});
  await store.partners.own('agency', sites.find(far)!);
  await room.write('https://paper.example/a', { title: 'A' });
  await view(room.site.id, 'UTC', NOW - 2 * HOUR, NOW - 1000, NOW - 30 * HOUR);
  await view(far, AUCKLAND, EARLIER_TODAY, NOW - 25 * HOUR);
  await room.deps.ingest.accept(
    ['https://foreign.example/a', 'https://foreign.example/b'].map((url) => ({
      idsite: 'silent.example',
      url,
      action: 'pageview',
    })),
    { ip: '192.0.2.1', userAgent: BROWSER, referer: '' },
  );

  const named = <T extends object>(name: string, of: T): T =>
    new Proxy(of, {
      get(target, key) {
        const found = Reflect.get(target, key) as unknown;
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          asked.push(`${name}.${String(key)}`);
          return found.apply(target, args);
        };
      },
    });
  const watched = {
    ...store,
    posts: named('posts', store.posts),
    partners: named('partners', store.partners),
    siteActivity: named('siteActivity', store.siteActivity),
  };
  const app = createApp({ ...room.deps, store: watched });
  await store.operatorTokens.replace(hashSecret(TOKEN), NOW);
  const answer = await app.request(`${ORIGIN}/console/operator`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: TOKEN }),
  });
  const cookie = answer.headers.get('Set-Cookie')!.split(';')[0]!;
  const operator = visitor(app, { cookie, setCookie: '', token: '', body: (await answer.json()) as SessionBody });
  ask = async (query = '') => (await operator.send(`/console/operator/sites?${query}`)).json();
});
afterAll(() => room.close());

const view = (site: SiteId, zone: string, ...times: number[]) =>
  room.happen(
    ...times.map((time) => ({
      site,
      time,
      day: dayOf(time, zone),
      action: 'pageview' as const,
      url: `https://${site}/a`,
    })),
  );

test('each site has its views by its own clock, its refused events, posts, index and partner', async () => {
  const { data, ...about } = await ask();
  const silent = { views_today: 0, views_hour: 0, last_view: null, posts: 0, index: 'unloaded', partner: null };
  expect(data).toEqual([
    {
      site: 'paper.example',
      timezone: 'UTC',
      views_today: 2,
      views_hour: 1,
      last_view: '2030-06-05T08:00:00.000Z',
      refused: 0,
      refused_as: null,
      posts: 1,
      index: 'loaded',
      loaded: null,
      partner: null,
    },
    {
      ...silent,
      site: 'far.example',
      timezone: AUCKLAND,
      views_today: 1,
      last_view: '2030-06-04T17:00:00.000Z',
      refused: 0,
      refused_as: null,
      loaded: null,
      partner: 'agency',
    },
    { ...silent, site: 'silent.example', timezone: 'UTC', refused: 2, refused_as: 'foreign-host', loaded: null },
  ]);
  expect(about).toEqual({
    sites: 3,
    found: 3,
    page: 1,
    pages: 1,
    shared: false,
    now: new Date(NOW).toISOString(),
    success: true,
  });
});

test.each([
  ['sort=name', ['far.example', 'paper.example', 'silent.example']],
  ['sort=refused', ['silent.example', 'far.example', 'paper.example']],
  ['sort=silent', ['silent.example', 'far.example', 'paper.example']],
  ['find=PAPER', ['paper.example']],
  ['find=kiwi', ['far.example']],
  ['find=agency', ['far.example']],
  ['find=%20', ['paper.example', 'far.example', 'silent.example']],
  ['find=%25', []],
  ['page=9', ['paper.example', 'far.example', 'silent.example']],
])('%s answers %j', async (query, expected) => {
  expect((await ask(query)).data.map(({ site }) => site)).toEqual(expected);
});

test.each(['sort=bytes', 'page=0', 'page=-1', 'page=x', `find=${'x'.repeat(2000)}`, 'find=%00'])(
  '%s is refused',
  async (query) => {
    expect(await ask(query)).toMatchObject({ success: false, code: 422 });
  },
);

describe('with two hundred sites', () => {
  beforeAll(async () => {
    for (let each = 0; each < 197; each++)
      await room.deps.sites.add({ ...room.site, id: parseSiteId(`blog-${String(each).padStart(3, '0')}.example`)! });
  });

  test('a page has fifty of them, and costs three questions however many there are', async () => {
    room.setNow(NOW + 10_000);
    asked.length = 0;
    const { data, sites, pages } = await ask('sort=name&page=2');
    expect({ sites, pages, first: data[0]?.site, shown: data.length }).toEqual({
      sites: 200,
      pages: 200 / SITES_ON_PAGE,
      first: 'blog-050.example',
      shown: SITES_ON_PAGE,
    });
    expect(asked.sort()).toEqual(['partners.makers', 'posts.counts', 'siteActivity.read']);
    asked.length = 0;
    await ask('find=blog-99');
    expect(asked).toEqual(['posts.counts']);
  });
});
