// GET /v2/lists beside a naive counter: random reading sessions at the door of events, and every figure of every group.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../demo/world/random.ts';
import { readClickDays, settleDays } from '../../server/rankings/settleDays.ts';
import { BROWSER } from '../support/beacons.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { type Counted, countNaively, readSession, type Sent, type World } from './naiveLedger.ts';

const SESSIONS = 2_000;
const DAYS = 4;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** In the zone of the site it is 16:30: the day of the site is not the day of UTC. */
const NOW = Date.parse('2040-03-20T23:30:00Z');
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
/** Events of one request. */
const BATCH = 1_500;

const POSTS = Array.from({ length: 12 }, (_, at) => ({
  url: `https://paper.example/${at}`,
  section: ['World', 'Sport', 'Arts'][at % 3]!,
}));
const ALIASES = { 'https://paper.example/1': 'https://paper.example/one' };
const pageOf = (url: string): string => Object.entries(ALIASES).find(([, alias]) => alias === url)?.[0] ?? url;
const sectionOf = (url: string): string => POSTS.find((post) => post.url === pageOf(url))!.section;

let room: Newsroom;
let all: Sent[] = [];

function groupBy<T, Key>(list: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

async function send(sent: readonly Sent[]): Promise<void> {
  const senders = groupBy(sent, ({ ip, isBot }) => `${ip} ${isBot}`);
  await Promise.all(
    [...senders.values()].map(async (ofOne) => {
      for (let at = 0; at < ofOne.length; at += BATCH) {
        const [{ ip, isBot }] = ofOne as [Sent];
        const body = JSON.stringify({ events: ofOne.slice(at, at + BATCH).map(({ event }) => event) });
        const headers = { 'User-Agent': isBot ? BOT : BROWSER };
        const from = { incoming: { socket: { remoteAddress: ip } } };
        const response = await room.app.request('/events', { method: 'POST', body, headers }, from);
        expect(response.status).toBe(200);
      }
    }),
  );
}

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'America/Los_Angeles' });
  for (const { url, section } of POSTS)
    await room.write(
      url,
      { title: `Post ${url.at(-1)}`, section, pubDate: NOW - 30 * DAY },
      ALIASES[url as keyof typeof ALIASES] ? [ALIASES[url as keyof typeof ALIASES]] : [],
    );
  const random = seeded('ledger');
  const world: World = { site: room.site.id, posts: POSTS, aliases: ALIASES, readers: 400 };
  const starts = Array.from({ length: SESSIONS }, (_, at) => {
    const day = NOW - (DAYS - (at % DAYS)) * DAY - (NOW % DAY);
    return day + HOUR + Math.floor(random() * 18 * HOUR);
  }).sort();
  all = starts.flatMap((start, at) => readSession(world, random, start, at));
  // Readers without an id are those of a day: what is of one day is sent on it.
  const days = groupBy(all, ({ event }) => Math.floor(event.ts / DAY));
  for (const [day, ofDay] of [...days].sort(([one], [other]) => one - other)) {
    room.setNow((day + 1) * DAY - 1);
    await send(ofDay);
  }
  room.setNow(NOW);
}, 300_000);

afterAll(() => room.close());

interface Record {
  group: string;
  name: string;
  title: string;
  metrics: { [name: string]: number };
}

async function figures(params: { [name: string]: string }): Promise<Map<string, { [name: string]: number }>> {
  const { data, ...rest } = await room.ask('/lists', { period_start: '6d', limit: '2000', ...params });
  expect(rest).toMatchObject({ success: true });
  return new Map((data as unknown as Record[]).map(({ name, metrics }) => [name, metrics]));
}

const localDay = (time: number) => new Date(time - 7 * HOUR).toISOString();

/** What each group is, of a report. */
const GROUPS: { [group: string]: (one: Counted) => readonly string[] } = {
  list: ({ list }) => [list.list],
  slot: ({ list }) => [list.slot],
  layout: ({ list }) => [list.layout],
  experiment: ({ list }) => [list.experiment ?? ''],
  variant: ({ list }) => [list.variant ?? ''],
  page: ({ sent }) => [pageOf(sent.event.url)],
  day: ({ sent }) => [localDay(sent.event.ts).slice(0, 10)],
  hour: ({ sent }) => [`${localDay(sent.event.ts).slice(0, 13)}:00`],
  position: ({ item }) => (item ? [String(item[0])] : []),
  source: ({ item }) => (item ? [item[2]] : []),
  post: ({ item }) => (item ? [pageOf(item[1])] : []),
  section: ({ item }) => (item ? [sectionOf(item[1])] : []),
};

const OF_ITEMS = ['position', 'source', 'post', 'section'];

function expected(groupOf: (one: Counted) => readonly string[], withLists: boolean) {
  const found = [...countNaively(all, groupOf, pageOf)].map(([name, { engaged_seconds, lists, ...counts }]) => [
    name,
    { ...counts, ...(withLists && { lists }), engaged_minutes: Math.round((engaged_seconds / 60) * 1000) / 1000 },
  ]);
  return Object.fromEntries(found);
}

function counted(answer: Map<string, { [name: string]: number }>) {
  return Object.fromEntries(
    [...answer].map(([name, metrics]) => {
      const { click_rate: _, click_rate_low: __, click_rate_high: ___, recirculation: ____, ...counts } = metrics;
      return [name, counts];
    }),
  );
}

describe.each([
  ['as it is asked for', false],
  ['where days that are over are kept', true],
])('every figure is that of a naive counter, %s', (_, isKept) => {
  beforeAll(async () => {
    if (isKept) await settleDays(room.deps);
    const { id: site, timezone: zone } = room.site;
    const period = { start: NOW - 6 * DAY, end: NOW };
    const { kept, open } = await readClickDays(room.deps.store.traffic, { site, zone, period });
    expect([kept.length, open.length]).toEqual(isKept ? [4, 1] : [0, 5]);
  });

  test.each(Object.keys(GROUPS))('by %s', async (group) => {
    const naive = expected(GROUPS[group]!, !OF_ITEMS.includes(group));
    expect(Object.keys(naive).length).toBeGreaterThan(0);
    expect(counted(await figures({ group }))).toEqual(naive);
  });

  test.each<[string, { [name: string]: string }, (one: Counted) => boolean, boolean]>([
    ['a list', { list: 'related' }, ({ list }) => list.list === 'related', true],
    ['a slot', { slot: 'end' }, ({ list }) => list.slot === 'end', true],
    ['a layout', { layout: 'grid' }, ({ list }) => list.layout === 'grid', true],
    ['a variant', { experiment: 'order', variant: 'a' }, ({ list }) => list.variant === 'a', true],
    ['a position', { position: '2' }, ({ item }) => item?.[0] === 2, false],
    ['a source', { source: 'readers' }, ({ item }) => item?.[2] === 'readers', false],
    ['a section', { section: 'Sport' }, ({ item }) => item !== undefined && sectionOf(item[1]) === 'Sport', false],
    ['a segment', { segment: 'members' }, ({ sent }) => String(sent.event.data?.segments) === 'members', true],
    [
      'two days',
      { period_start: '2040-03-17', period_end: '2040-03-18' },
      ({ sent }) => ['2040-03-17', '2040-03-18'].includes(localDay(sent.event.ts).slice(0, 10)),
      true,
    ],
    [
      'some hours',
      { period_start: '2040-03-18T09:20', period_end: '2040-03-19T20:45' },
      ({ sent }) => localDay(sent.event.ts) >= '2040-03-18T09:20' && localDay(sent.event.ts) < '2040-03-19T20:45',
      true,
    ],
  ])('of %s', async (_, params, isAsked, withLists) => {
    const naive = expected((one) => (isAsked(one) ? GROUPS.layout!(one) : []), withLists);
    expect(Object.keys(naive).length).toBeGreaterThan(0);
    expect(counted(await figures({ group: 'layout', ...params }))).toEqual(naive);
  });
});

describe('a series has the figures of each interval', () => {
  const NAMES = ['lists', 'seen', 'clicks', 'quality_clicks', 'views_caused', 'engaged_minutes_caused'];
  interface Interval {
    start: string;
    metrics: { [name: string]: number };
    previous?: { start: string; metrics: { [name: string]: number } };
  }
  const series = async (params: { [name: string]: string }) =>
    (await room.ask('/analytics/series', { period_start: '6d', ...params })) as unknown as {
      data: Interval[];
      totals?: { metrics: { [name: string]: number } };
      meta: { metrics: string[] };
      errors?: object;
    };
  /** Of intervals in which something happened, by the hour or day that clocks show. */
  const happened = ({ data }: { data: Interval[] }, digits: number) =>
    Object.fromEntries(
      data
        .filter(({ metrics }) => Object.values(metrics).some((value) => value !== 0))
        .map(({ start, metrics: { engaged_minutes_caused: engaged_minutes, ...metrics } }) => [
          `${start.slice(0, digits)}${digits === 10 ? '' : ':00'}`,
          { ...metrics, engaged_minutes },
        ]),
    );

  test.each([
    ['hour', 13],
    ['day', 10],
  ] as const)('by %s', async (interval, digits) => {
    const answer = await series({ interval, metrics: NAMES.join(',') });
    expect(answer.meta.metrics).toEqual(NAMES);
    expect(happened(answer, digits)).toEqual(expected(GROUPS[interval]!, true));
  });

  test.each<[string, { [name: string]: string }, (one: Counted) => boolean]>([
    ['a slot', { slot: 'end' }, ({ list }) => list.slot === 'end'],
    ['a position', { position: '2' }, ({ item }) => item?.[0] === 2],
    ['a section', { section: 'Sport' }, ({ item }) => item !== undefined && sectionOf(item[1]) === 'Sport'],
    ['a post', { post: POSTS[1]!.url }, ({ item }) => item !== undefined && pageOf(item[1]) === POSTS[1]!.url],
    ['a segment', { segment: 'members' }, ({ sent }) => String(sent.event.data?.segments) === 'members'],
  ])('of %s', async (_, params, isAsked) => {
    const metrics = NAMES.slice(1).join(',');
    const naive = expected((one) => (isAsked(one) ? GROUPS.day!(one) : []), false);
    const answer = await series({ interval: 'day', metrics, totals: '1', ...params });
    expect(happened(answer, 10)).toEqual(naive);
    const clicks = answer.data.reduce((sum, { metrics }) => sum + metrics.clicks!, 0);
    expect(answer.totals!.metrics).toMatchObject({ clicks });
  });

  test('rates and shares, beside metrics of posts and the days before', async () => {
    const metrics = 'views,click_rate,click_rate_low,click_rate_high,recirculation,clicks';
    const asked = { interval: 'day', metrics, period_start: '2040-03-18', period_end: '2040-03-19' };
    const { data } = await series({ ...asked, compare: 'previous' });
    const days = await figures({ group: 'day' });
    const figuresOf = (start: string) => {
      const { click_rate, click_rate_low, click_rate_high, recirculation, clicks } = days.get(start.slice(0, 10))!;
      return { click_rate, click_rate_low, click_rate_high, recirculation, clicks };
    };
    expect(data).toHaveLength(2);
    for (const { start, metrics, previous } of data) {
      expect(Object.keys(metrics)).toEqual(asked.metrics.split(','));
      expect(metrics.views).toBeGreaterThan(metrics.clicks!);
      expect(metrics).toMatchObject(figuresOf(start));
      expect(previous!.metrics).toMatchObject(figuresOf(previous!.start));
    }
  });

  test('lists of items are refused: a list has several', async () => {
    expect((await series({ metrics: 'lists', position: '1' })).errors).toHaveProperty('metrics');
    expect((await series({ metrics: 'lists,clicks', section: 'Sport' })).errors).toHaveProperty('metrics');
    const errors = async (params: object) =>
      ((await room.ask('/lists', { sort: 'lists', ...params })) as { errors?: object }).errors;
    expect(await errors({ group: 'position' })).toHaveProperty('sort');
    expect(await errors({ group: 'list', position: '1' })).toHaveProperty('sort');
    expect(await errors({ group: 'list' })).toBeUndefined();
  });
});

test('a share is of all page views, of bots none', async () => {
  const views = all.filter(({ event, isBot }) => event.action === 'pageview' && !isBot).length;
  const caused = [...(await figures({ group: 'list' })).values()];
  expect(caused.some(({ views_caused }) => views_caused! > 0)).toBe(true);
  for (const { views_caused, recirculation } of caused) expect(recirculation).toBeCloseTo(views_caused! / views, 5);
  for (const group of ['day', 'hour'])
    for (const [name, { views_caused, recirculation }] of await figures({ group })) {
      const viewed = all.filter(
        ({ event, isBot }) =>
          event.action === 'pageview' && !isBot && localDay(event.ts).startsWith(name.replace(':00', '')),
      );
      expect(recirculation).toBeCloseTo(viewed.length === 0 ? 0 : Math.min(views_caused! / viewed.length, 1), 5);
    }
});

test('an excluded post counts nowhere, and other items of its lists do', async () => {
  const url = POSTS[3]!.url;
  await room.ask('/exclude/ignore', { url });
  const naive = expected((one) => (one.item && one.item[1] !== url ? GROUPS.source!(one) : []), false);
  expect(counted(await figures({ group: 'source' }))).toEqual(naive);
  await room.ask('/exclude/include', { url });
});

test('posts and pages have their titles, days and positions their order, other groups that of their clicks or of the sort', async () => {
  const ask = async (params: { [name: string]: string }) =>
    (await room.ask('/lists', { period_start: '6d', ...params })) as unknown as {
      data: Record[];
      meta: { sort: string; metrics: string[] };
    };
  const posts = await ask({ group: 'post' });
  for (const { data } of [posts, await ask({ group: 'page' })])
    expect(data[0]!.title).toBe(`Post ${data[0]!.name.at(-1)}`);
  expect(posts.meta.sort).toBe('clicks');
  const clicks = posts.data.map(({ metrics }) => metrics.clicks!);
  expect(clicks).toEqual([...clicks].sort((one, other) => other - one));
  expect((await ask({ group: 'position' })).data.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5']);
  const days = (await ask({ group: 'day' })).data.map(({ name }) => name);
  expect(days).toEqual([...days].sort());
  const hours = async (page: string) => (await ask({ group: 'hour', sort: 'recirculation', limit: '20', page })).data;
  const shares = [...(await hours('1')), ...(await hours('2'))].map(({ metrics }) => metrics.recirculation!);
  expect(shares).toEqual([...shares].sort((one, other) => other - one));
  expect(shares).toHaveLength(40);
  const seen = (await ask({ group: 'source', sort: 'seen' })).data.map(({ metrics }) => metrics.seen!);
  expect(seen).toEqual([...seen].sort((one, other) => other - one));
});
