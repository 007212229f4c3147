// Laws that hold for every list whatever is counted: of pages, filters, hidden URLs, order, and ways to be asked.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Asked,
  anyQuestion,
  askWorld,
  pagedQuestion,
  postsQuestion,
  QUESTIONS,
  type QuestionName,
  questionOf,
  settle,
} from '../support/agreement/agree.ts';
import type { Params } from '../support/agreement/conditions.ts';
import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Math.ceil(Number(process.env.AFTERWORD_TEST_RUNS ?? 100) / 10);
/** Posts that are hidden: each is looked for in every list three times. */
const HIDDEN = Math.max(4, Math.ceil(RUNS / 10));
const WORLDS = RUNS > 15 ? 20 : 12;
const LONG = 60 * 60_000;

let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  room = await openNewsroom({ now: WORLD_NOW });
  // Other worlds than those that are counted.
  worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(10_000 + seed));
  await settle(room, worlds);
});

afterAll(() => room.close());

const world = fc.nat({ max: WORLDS - 1 });

/** Asks for all there is, or with parameters of its own. */
const ask = (seed: number, asked: Asked, more: Params = {}) => {
  const { path, params, paged } = questionOf(worlds[seed]!, asked);
  return askWorld(room, worlds[seed]!, path, { ...params, ...(paged && { limit: '2000' }), ...more });
};

const urlsOf = ({ data = [] }: Answer) => data.map(({ url }) => url);

/** Of a question that is not refused, for its period for example: a refusal has no post, whatever the law. */
async function urlsAsked(...question: Parameters<typeof ask>): Promise<string[]> {
  const answer = await ask(...question);
  fc.pre(answer.success === true);
  return urlsOf(answer);
}

test(
  'two pages are one page of twice the length',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, pagedQuestion, fc.integer({ min: 1, max: 5 }), async (seed, asked, n) => {
        const page = async (limit: number, number: number) =>
          (await ask(seed, asked, { limit: String(limit), page: String(number) })).data ?? [];
        expect([...(await page(n, 1)), ...(await page(n, 2))]).toEqual(await page(2 * n, 1));
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

const NARROWER: Partial<Record<QuestionName, Params[]>> = {
  posts: [
    { author: 'Ann' },
    { tag: 'x' },
    { channel: 'amp' },
    { segment: 'daily' },
    { campaign_source: 'spring' },
    { device: 'tablet' },
  ],
  'realtime posts': [
    { author: 'Bob' },
    { device: 'mobile' },
    { tag: 'y' },
    { section: 'World' },
    { campaign_term: 'q&a' },
  ],
  'meta detail': [{ pub_date_start: '5d' }],
  'referred posts': [{ section: 'World' }, { domain: 'google' }, { pub_date_start: '5d' }],
  shares: [{ pub_date_start: '5d' }],
};

test(
  'one more condition never adds a post',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, postsQuestion, fc.nat(), async (seed, asked, n) => {
        const conditions = NARROWER[asked.what]!;
        const more = conditions[n % conditions.length]!;
        const { params } = questionOf(worlds[seed]!, asked);
        // Several authors or tags must all be there; of anything else one more value is no further condition.
        const added = Object.fromEntries(
          Object.entries(more).map(([name, value]) => [name, [params[name] ?? [], value].flat()]),
        );
        const [name] = Object.keys(more);
        // A start of publication dates takes the place of `pub_days`.
        fc.pre(params.pub_days === undefined || name !== 'pub_date_start');
        fc.pre(params[name!] === undefined || name === 'author' || name === 'tag');
        const all = await urlsAsked(seed, asked);
        for (const url of await urlsAsked(seed, asked, added)) expect(all).toContain(url);
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

test(
  'a hidden URL appears nowhere',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, anyQuestion, async (seed, asked) => {
        for (const url of await urlsAsked(seed, asked)) expect(worlds[seed]!.excluded).not.toContain(url);
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

/** Public lists that count nothing. */
const PUBLIC: [path: string, params: Params][] = [
  ['/related', { limit: '2000' }],
  ['/similar', { limit: '2000' }],
  ['/search', { q: 'title', limit: '2000' }],
];
/** The same as pages see them. */
const FRAGMENTS = ['/fragment/top?days=31&limit=25', '/fragment/related?limit=25'];

test(
  'hiding a post takes it out of everything at once and leaves the rest in order; showing it brings all back',
  async () => {
    const shown = new Set<string>();
    await fc.assert(
      fc.asyncProperty(world, anyQuestion, fc.nat(), async (seed, { sketch }, n) => {
        const here = worlds[seed]!;
        const posts = here.posts.filter(
          ({ url, pageType, pubDate }) => !here.excluded.has(url) && pageType === 'post' && (pubDate ?? 0) <= here.now,
        );
        if (posts.length === 0) return;
        const { url } = posts[n % posts.length]!;
        // Of most days, so that the post is in the top lists of most cases.
        const about = { ...sketch, page: here.pages.indexOf(url), address: '', topDays: 31, topLength: 25 } as const;
        const kinds = Object.keys(QUESTIONS) as QuestionName[];
        const everything = async () => {
          const answers = new Map<string, Answer>();
          for (const what of kinds) answers.set(what, await ask(seed, { what, sketch: about }));
          for (const [path, params] of PUBLIC) answers.set(path, await askWorld(room, here, path, params));
          const other = posts[(n + 1) % posts.length]!.url;
          answers.set('/related of', await askWorld(room, here, '/related', { url: other }));
          return answers;
        };
        const before = await everything();
        await askWorld(room, here, '/exclude/ignore', { url });
        const hidden = await everything();
        for (const fragment of FRAGMENTS) {
          const html = await room.app.request(`http://stats.example/v2${fragment}&apikey=${here.site}`);
          expect([fragment, (await html.text()).includes(`"${url}"`)]).toEqual([fragment, false]);
        }
        await askWorld(room, here, '/exclude/include', { url });
        const after = await everything();

        expect(after).toEqual(before);
        for (const [what, answer] of before) if (urlsOf(answer).includes(url)) shown.add(what);
        for (const [what, answer] of hidden) {
          expect([what, urlsOf(answer).includes(url)]).toEqual([what, false]);
          // Lists of posts lose one record; those of names lose traffic, and their order may change.
          const was = before.get(what)!;
          if (!was.data?.[0]?.url || what.startsWith('/')) continue;
          expect([what, urlsOf(answer)]).toEqual([what, urlsOf(was).filter((one) => one !== url)]);
        }
        for (const what of ['post detail', 'shares of a post', 'referrers of a post'])
          expect([what, hidden.get(what)!.data ?? []]).toEqual([what, []]);
      }),
      { numRuns: HIDDEN },
    );
    // They were there to be hidden.
    expect([...shown]).toEqual(expect.arrayContaining(['/related', '/search', 'post detail', 'top posts']));
  },
  LONG,
);

test(
  'what is asked again is answered the same, in the same order; what says nothing changes nothing',
  async () => {
    const noise = fc.constantFrom<Params>(
      { _: '1700000000' },
      { boost: 'views', strategy: '' },
      { author: '', period_start: ' ', page: '' },
      { itm_source: 'x', __proto__x: 'y' },
    );
    await fc.assert(
      fc.asyncProperty(world, anyQuestion, noise, async (seed, asked, noise) => {
        const { path, params } = questionOf(worlds[seed]!, asked);
        const quiet = Object.fromEntries(Object.entries(noise).filter(([name]) => params[name] === undefined));
        const first = await askWorld(room, worlds[seed]!, path, params);
        const slashed = await askWorld(room, worlds[seed]!, `${path}/`, { ...quiet, ...params });
        expect(await askWorld(room, worlds[seed]!, path, params)).toEqual(first);
        expect({ ...slashed, links: undefined }).toEqual({ ...first, links: undefined });
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

test(
  'JSON-P says what JSON says',
  async () => {
    await fc.assert(
      fc.asyncProperty(world, anyQuestion, async (seed, asked) => {
        const { site, now } = worlds[seed]!;
        const { path, params } = questionOf(worlds[seed]!, asked);
        const query = new URLSearchParams({ apikey: site, secret: room.secret });
        for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) query.append(name, one);
        room.setNow(now);
        const plain = await room.app.request(`http://stats.example/v2${path}?${query}`);
        const script = await room.app.request(`http://stats.example/v2${path}?callback=show&${query}`);
        expect(script.headers.get('Content-Type')).toBe('application/javascript; charset=utf-8');
        const [, json] = /^\/\*\*\/show\((.*)\);$/s.exec(await script.text())!;
        // Links replay the callback like every other parameter.
        expect(JSON.parse(json!.replaceAll('callback=show&', ''))).toEqual(await plain.json());
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);
