// Windows of time that follow one another count everything once, and lists of the same traffic have the same total, whatever they
// list it by.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askWorld, settle } from '../support/agreement/agree.ts';
import type { Params } from '../support/agreement/conditions.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { CHANNELS, DEVICES, makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Math.ceil(Number(process.env.AFTERWORD_TEST_RUNS ?? 360) / 60);
const WORLDS = 3;
const LONG = 10 * 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** `other` lists aggregators and assistants too, which have lists of their own. */
const TYPES = ['social', 'search', 'other', 'internal'];
const CATEGORIES = ['social', 'search', 'aggregator', 'ai', 'internal'];
const LISTS = ['posts', 'authors', 'sections', 'tags', 'referrers', 'channels', 'campaigns', 'segments'];
const SORTS = ['views', 'views', 'tablet_views', 'tw_interactions'];

let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  room = await openNewsroom({ now: WORLD_NOW });
  worlds = Array.from({ length: WORLDS }, (_, seed) => ofPosts(makeWorld(20_000 + seed)));
  await settle(room, worlds);
}, LONG);

afterAll(() => room.close());

/** The same world with posts alone: every view is of one of them, under its own address or an alias. */
function ofPosts(world: World): World {
  const posts = world.posts.map((post) => ({
    ...post,
    pageType: 'post' as const,
    section: post.section || 'World',
    pubDate: post.pubDate && Math.min(post.pubDate, world.now),
  }));
  const urls = new Set([...posts.map(({ url }) => url), ...world.aliases.keys()]);
  return { ...world, posts, excluded: new Set(), events: world.events.filter(({ url }) => urls.has(url)) };
}

const world = fc.nat({ max: WORLDS - 1 });
/** Where a period is cut: at an event, which lies exactly on the cut, or so many hours before now. */
const cut = fc.oneof(
  fc.record({ event: fc.nat(), form: fc.constantFrom('utc', 'offset') }),
  fc.record({ hours: fc.integer({ min: 1, max: 80 * 24 }), form: fc.constantFrom('look-back', 'utc') }),
);
type Cut = typeof cut extends fc.Arbitrary<infer T> ? T : never;

/** A moment within the last eighty days, as a request may write it. */
function momentOf({ events, now }: World, at: Cut): { time: number; text: string } {
  const recent = events.filter(({ time }) => time > now - 80 * DAY);
  const hours = 'hours' in at ? at.hours : 1;
  const time = 'event' in at && recent.length > 0 ? recent[at.event % recent.length]!.time : now - hours * HOUR;
  if (at.form === 'look-back') return { time, text: `${hours}h` };
  const text = at.form === 'offset' ? `${new Date(time + HOUR).toISOString().slice(0, -1)}+01` : undefined;
  return { time, text: text ?? new Date(time).toISOString() };
}

/** What a list counted, by name. */
async function countedBy(seed: number, path: string, params: Params): Promise<Map<string, number>> {
  const { data, meta } = await askWorld(room, worlds[seed]!, path, { ...params, limit: '2000' });
  return new Map(
    data.flatMap(({ name, url, category = '', metrics }): [string, number][] => {
      const count = metrics[meta.sort]!;
      return count > 0 ? [[JSON.stringify([name ?? url, category]), count]] : [];
    }),
  );
}

function sumOf(parts: readonly Map<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of parts.flatMap((part) => [...part])) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const total = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
const inOrder = (counts: Map<string, number>) => [...counts].sort();

test(
  'windows that follow one another add up to the whole period, in every list',
  async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(cut, { minLength: 3, maxLength: 4 }),
        fc.constantFrom(...LISTS),
        fc.constantFrom(...SORTS),
        async (seed, cuts, list, sort) => {
          const moments = cuts.map((one) => momentOf(worlds[seed]!, one)).sort((a, b) => a.time - b.time);
          const between = (start: number, end: number) =>
            countedBy(seed, `/analytics/${list}`, {
              sort,
              period_start: moments.at(start)!.text,
              period_end: moments.at(end)!.text,
            });
          const windows = await Promise.all(moments.slice(1).map((_, at) => between(at, at + 1)));
          const whole = await between(0, -1);
          expect(inOrder(sumOf(windows))).toEqual(inOrder(whole));
          counted += total(whole);
        },
      ),
      { numRuns: RUNS },
    );
    expect(counted).toBeGreaterThan(0);
  },
  LONG,
);

test(
  'posts, sections, channels, referrers, their types and categories have one total in one period',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, cut, cut, async (seed, one, other) => {
        const [from, to] = [one, other].map((at) => momentOf(worlds[seed]!, at)).sort((a, b) => a.time - b.time);
        const period = { period_start: from!.text, period_end: to!.text };
        const views = (path: string, more: Params = {}) => countedBy(seed, path, { ...period, ...more });
        const posts = await views('/analytics/posts');
        const channels = await views('/analytics/channels');
        const referrers = await views('/analytics/referrers');
        const byChannel = await Promise.all(CHANNELS.map((channel) => views('/analytics/posts', { channel })));
        const byType = await Promise.all(TYPES.map((type) => views(`/referrers/${type}`)));
        const ofDirect = referrers.get('["direct","direct"]') ?? 0;
        for (const category of CATEGORIES) {
          const listed = total(await views(`/referrers/${category}`));
          const ofIt = [...referrers].filter(([key]) => JSON.parse(key)[1] === category);
          expect([category, listed]).toEqual([category, total(new Map(ofIt))]);
        }

        expect(total(channels)).toBe(total(posts));
        expect(total(referrers)).toBe(total(posts));
        expect(total(await views('/analytics/sections'))).toBe(total(posts));
        expect(inOrder(sumOf(byChannel))).toEqual(inOrder(posts));
        expect(total(sumOf(byType)) + ofDirect).toBe(total(posts));
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  },
  LONG,
);

test(
  'the lists of the three devices add up to that of all, whatever it lists and whatever else narrows it',
  async () => {
    let counted = 0;
    const narrow = fc.constantFrom<Params>({}, { channel: 'website' }, { segment: 'daily' }, { section: 'World' });
    const sort = fc.constantFrom('views', 'engaged_minutes', 'social_referrals', 'tw_interactions');
    await fc.assert(
      fc.asyncProperty(world, cut, fc.constantFrom(...LISTS), narrow, sort, async (seed, from, list, narrow, sort) => {
        const params = { ...narrow, sort, period_start: momentOf(worlds[seed]!, from).text };
        const of = (device: Params) => countedBy(seed, `/analytics/${list}`, { ...params, ...device });
        const all = await of({});
        const sum = sumOf(await Promise.all(DEVICES.map((device) => of({ device }))));
        expect([...sum.keys()].sort()).toEqual([...all.keys()].sort());
        // Minutes are rounded to thousandths.
        for (const [name, count] of all) expect(Math.abs(sum.get(name)! - count)).toBeLessThan(0.002);
        counted += total(all);
        if (list !== 'posts' || sort !== 'views') return;
        // A metric of all is another way to ask the same.
        for (const device of DEVICES)
          expect(total(await of({ sort: `${device}_views` }))).toBe(total(await of({ device })));
      }),
      { numRuns: RUNS * 4 },
    );
    expect(counted).toBeGreaterThan(0);
  },
  LONG,
);

test('twenty-four windows of an hour add up to their day, where every view is on the hour', async () => {
  const url = `https://${room.site.id}/on-the-hour`;
  const day = Date.parse('2040-03-18');
  await room.write(url, { title: 'On the hour' });
  const views = Array.from({ length: 26 }, (_, hour) => ({
    url,
    time: day + (hour - 1) * HOUR,
    visitor: String(hour),
  }));
  await room.happen(...views);
  room.setNow(WORLD_NOW);
  const count = async (period: Params) => (await room.ask('/analytics/posts', period)).data[0]?._hits ?? 0;
  const hour = (at: number) => new Date(day + at * HOUR).toISOString();
  const windows: number[] = [];
  for (let at = 0; at < 24; at++) windows.push(await count({ period_start: hour(at), period_end: hour(at + 1) }));
  expect(windows).toEqual(Array.from({ length: 24 }, () => 1));
  expect(await count({ period_start: '2040-03-18', period_end: '2040-03-18' })).toBe(24);
  expect(await count({ period_start: '2040-03-18', period_end: '2040-03-18T24:00' })).toBe(24);
  expect(await count({ period_start: '2040-03-18T00:00', period_end: '2040-03-19T00:00+00' })).toBe(24);
  expect(await count({ period_end: '2040-03-18', days: '1' })).toBe(24);
});
