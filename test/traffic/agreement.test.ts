// The engine's answers against a naive counter, over random worlds and random questions, through the front door.
// AFTERWORD_TEST_RUNS=20000 asks that many questions of ten times as many worlds.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countNaively } from '../support/naiveCounter.ts';
import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { anyQuery, postsQuery } from '../support/worldQueries.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 600);
const WORLDS = RUNS > 2000 ? 600 : 60;
const MINUTES = 60_000;

let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  room = await openNewsroom({ now: WORLD_NOW });
  worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
  await room.happen(...worlds.flatMap((world) => world.events));
  for (const { site, zone, posts, aliases, excluded } of worlds) {
    await room.deps.sites.add({ ...room.site, id: site, timezone: zone });
    await room.deps.store.posts.save(site, posts);
    for (const [alias, url] of aliases) await room.deps.store.posts.alias(site, url, [alias], WORLD_NOW);
    for (const url of excluded) await room.deps.exclusions.ignore(site, url);
  }
}, 10 * MINUTES);

afterAll(() => room.close());

/** By number, so that a counterexample is a line: `makeWorld` makes it again. */
const seed = fc.nat({ max: WORLDS - 1 });
const ask = (seed: number, path: string, params: Record<string, string | readonly string[]>) =>
  room.ask(path, { ...params, apikey: worlds[seed]!.site });

/** Each record as name, views and the value it is sorted by, whatever those are called. */
const valuesOf = ({ data, meta }: Answer) =>
  data.map(({ name, url, _hits, metrics }) => ({ name: name ?? url, hits: _hits, value: metrics[meta.sort] }));

test(
  'every list says what a count by hand says',
  async () => {
    await fc.assert(
      fc.asyncProperty(seed, anyQuery, fc.constantFrom(1, 3, 2000), async (seed, { path, params, naive }, limit) => {
        const answer = await ask(seed, path, { ...params, limit: String(limit) });
        const asViews = path.startsWith('/shares') ? { ...answer, meta: { ...answer.meta, sort: 'shares' } } : answer;
        expect(valuesOf(asViews)).toEqual(countNaively(worlds[seed]!, naive).slice(0, limit));
      }),
      { numRuns: RUNS },
    );
  },
  60 * MINUTES,
);

test('two pages are one page of twice the length, in the same order each time', async () => {
  await fc.assert(
    fc.asyncProperty(seed, anyQuery, fc.integer({ min: 1, max: 5 }), async (seed, { path, params }, n) => {
      const page = async (limit: number, number: number) =>
        (await ask(seed, path, { ...params, limit: String(limit), page: String(number) })).data;
      expect([...(await page(n, 1)), ...(await page(n, 2))]).toEqual(await page(2 * n, 1));
    }),
    { numRuns: 40 },
  );
});

test('one more condition never adds a post', async () => {
  const condition = fc.constantFrom(
    { author: 'Ann' },
    { tag: 'x' },
    { channel: 'amp' },
    { segment: 'daily' },
    { campaign_source: 'spring' },
  );
  await fc.assert(
    fc.asyncProperty(seed, postsQuery, condition, async (seed, { path, params }, more) => {
      const [name, value] = Object.entries(more)[0]!;
      if (params[name] !== undefined && params[name].length > 0) return;
      const wide = await ask(seed, path, { ...params, limit: '2000' });
      const narrow = await ask(seed, path, { ...params, [name]: value, limit: '2000' });
      const all = new Set(wide.data.map((record) => record.url));
      for (const record of narrow.data) expect(all).toContain(record.url);
    }),
    { numRuns: 40 },
  );
});

test('a hidden URL appears nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(seed, anyQuery, async (seed, { path, params }) => {
      const { data } = await ask(seed, path, { ...params, limit: '2000' });
      for (const record of data) expect(worlds[seed]!.excluded).not.toContain(record.url);
    }),
    { numRuns: 40 },
  );
});

test('JSON-P says what JSON says', async () => {
  await fc.assert(
    fc.asyncProperty(seed, anyQuery, async (seed, { path, params }) => {
      const plain = await ask(seed, path, params);
      const query = new URLSearchParams({ apikey: worlds[seed]!.site, secret: room.secret, callback: 'show' });
      for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) query.append(name, one);
      const script = await (await room.app.request(`http://stats.example/v2${path}?${query}`)).text();
      const wrapped = JSON.parse(/^\/\*\*\/show\((.*)\);$/s.exec(script)![1]!) as Answer;
      expect({ ...wrapped, links: undefined }).toEqual({ ...plain, links: undefined });
    }),
    { numRuns: 30 },
  );
});
