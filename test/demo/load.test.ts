// Loading the demo's data: whatever happens in between, each event is offered under one token only.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Article, openEdition } from '../../demo/edition.ts';
import { openFilms } from '../../demo/films.ts';
import { type Ledger, readLedger } from '../../demo/ledger.ts';
import { createLiveEvents } from '../../demo/live.ts';
import { loadArticles, loadEvents } from '../../demo/load.ts';
import type { FilmWorld } from '../../demo/world/filmViews.ts';
import { createWorld, type World } from '../../demo/world/sessions.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { Post, PostPatch } from '../../server/posts/post.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-18T15:00:00Z');
const site = parseSiteId('lantern-8090')!;
const origin = 'http://localhost:8090';

let folder: string;
let articles: Article[];
let world: World;
let films: FilmWorld;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterword-load-'));
  articles = openEdition(NOW);
  world = createWorld({ articles, seed: 'test', viewsPerDay: 200 });
  films = { films: openFilms(NOW), seed: 'test', visitsPerDay: 8 };
});
afterAll(() => rm(folder, { recursive: true }));

const blank = (): Ledger => ({
  siteMade: 1,
  seed: 'test',
  viewsPerDay: 200,
  anchor: NOW,
  postsUntil: 0,
  eventsUntil: NOW - 6 * DAY,
});

/** Keeps a batch under its token, as the real store does; fails at one append, after or before keeping it. */
function recordingStore(failAt = Number.POSITIVE_INFINITY, { keeps }: { keeps: boolean } = { keeps: false }) {
  const batches = new Map<string, readonly EventRow[]>();
  const posts: Post[] = [];
  let appends = 0;
  return {
    batches,
    posts,
    rows: () => [...batches.values()].flat(),
    store: {
      events: {
        async append(rows: readonly EventRow[], token: string) {
          appends++;
          if (appends !== failAt || keeps) {
            if (batches.has(token)) expect(rows).toEqual(batches.get(token));
            batches.set(token, rows);
          }
          if (appends === failAt) throw new Error('power cut');
        },
      },
      posts: { save: async (_: unknown, saved: readonly Post[]) => void posts.push(...saved) },
    },
    library: {
      async write(_: unknown, url: string, { patch }: { patch: PostPatch }) {
        const post = mergeMetadata(undefined, { url, patch, now: NOW });
        posts.push(post);
        return post;
      },
    },
  };
}

async function load(
  recorder: ReturnType<typeof recordingStore>,
  task: { ledgerPath: string; ledger: Ledger; now: number },
) {
  const target = { ...recorder, site, origin, ledgerPath: task.ledgerPath };
  const { ledger, now } = task;
  return loadEvents(target, { world, films, ledger, now, stopping: new AbortController().signal, onSpan: () => {} });
}

it.each([
  ['before the batch was stored', { keeps: false }],
  ['after the batch was stored, unacknowledged', { keeps: true }],
])('stores every event once when the power went %s', async (name, outcome) => {
  const whole = recordingStore();
  await load(whole, { ledgerPath: join(folder, `whole ${name}.json`), ledger: blank(), now: NOW });
  expect(whole.rows().length).toBeGreaterThan(1000);

  for (const failAt of [1, 3, 7]) {
    const cut = recordingStore(failAt, outcome);
    const ledgerPath = join(folder, `cut ${failAt} ${name}.json`);
    await expect(load(cut, { ledgerPath, ledger: blank(), now: NOW })).rejects.toThrow('power cut');
    const ledger = (await readLedger(ledgerPath))!;
    await load(cut, { ledgerPath, ledger, now: NOW + DAY });
    expect(cut.rows().filter(({ time }) => time <= NOW)).toEqual(whole.rows());
    expect(ledger.eventsUntil).toBe(NOW + DAY);
    expect(ledger.pending).toBeUndefined();
  }
});

it('adds nothing when started again at once, and the new days when started later', async () => {
  const recorder = recordingStore();
  const ledgerPath = join(folder, 'again.json');
  const ledger = blank();
  await load(recorder, { ledgerPath, ledger, now: NOW });
  expect(await load(recorder, { ledgerPath, ledger, now: NOW })).toBe(0);
  const before = recorder.rows().length;
  const added = await load(recorder, { ledgerPath, ledger, now: NOW + 2 * DAY });
  expect(added).toBeGreaterThan(300);
  expect(recorder.rows()).toHaveLength(before + added);
});

it('stores events while it runs, each at its time, those that a later start would, also after a power cut', async () => {
  const whole = recordingStore();
  await load(whole, { ledgerPath: join(folder, 'later.json'), ledger: blank(), now: NOW + DAY });
  const expected = whole.rows().filter(({ time }) => time > NOW);

  const live = recordingStore(9, { keeps: true });
  const ledgerPath = join(folder, 'live.json');
  const ledger = { ...blank(), eventsUntil: NOW };
  const target = { ...live, site, origin, ledgerPath };
  const storeEventsUntil = createLiveEvents(target, { world, films, ledger, experiment: () => undefined });
  let now = NOW;
  const untilTheCut = async () => {
    for (; now < NOW + DAY; now += 500_000) {
      await storeEventsUntil(now);
      expect(live.rows().every(({ time }) => time <= now)).toBe(true);
    }
  };
  await expect(untilTheCut()).rejects.toThrow('power cut');
  await load(live, { ledgerPath, ledger: (await readLedger(ledgerPath))!, now: NOW + DAY });
  expect(live.rows()).toEqual(expected);
});

it('stores events over midnight', async () => {
  const whole = recordingStore();
  await load(whole, {
    ledgerPath: join(folder, 'days.json'),
    ledger: { ...blank(), eventsUntil: NOW },
    now: NOW + DAY,
  });
  const live = recordingStore();
  const ledger = { ...blank(), eventsUntil: NOW };
  const target = { ...live, site, origin, ledgerPath: join(folder, 'midnight.json') };
  const storeEventsUntil = createLiveEvents(target, { world, films, ledger, experiment: () => undefined });
  for (let now = NOW; now <= NOW + DAY; now += DAY / 90) await storeEventsUntil(now);
  expect(live.rows()).toEqual(whole.rows());
  expect(live.rows().length).toBeGreaterThan(100);
});

it('leaves the rest for the next start on a signal to stop', async () => {
  const recorder = recordingStore();
  const ledgerPath = join(folder, 'stopped.json');
  const ledger = blank();
  const stop = new AbortController();
  const target = { ...recorder, site, origin, ledgerPath };
  await loadEvents(target, { world, films, ledger, now: NOW, stopping: stop.signal, onSpan: () => stop.abort() });
  expect(ledger.eventsUntil).toBeLessThan(NOW - 4 * DAY);
  expect(JSON.parse(await readFile(ledgerPath, 'utf8'))).toEqual(ledger);
});

it('publishes what is due, each article once, as a post with its whole text', async () => {
  const recorder = recordingStore();
  const ledger = blank();
  const target = { ...recorder, site, origin, ledgerPath: join(folder, 'posts.json') };
  await loadArticles(target, { articles, films: openFilms(NOW), ledger, now: NOW, freshSite: true });
  await loadArticles(target, { articles, films: openFilms(NOW), ledger, now: NOW + 3 * DAY, freshSite: false });
  const due = articles.filter(({ published }) => published <= NOW + 3 * DAY);
  const printed = recorder.posts.filter(({ pageType }) => pageType === 'post');
  expect(printed.map(({ url }) => url).sort()).toEqual(due.map(({ slug }) => `${origin}/article/${slug}`).sort());
  const shown = recorder.posts.filter(({ pageType }) => pageType === 'video');
  expect(shown.map(({ url }) => url)).toEqual(openFilms(NOW).map(({ slug }) => `${origin}/watch/${slug}`));
  expect(printed.length).toBeGreaterThan(articles.filter(({ published }) => published <= NOW).length);
  for (const { fullContent, wordCount, pubDate } of printed) {
    expect(wordCount).toBeGreaterThan(150);
    expect(fullContent).not.toMatch(/<[a-z]+>.*<\/[a-z]+>/);
    expect(pubDate).toBeLessThanOrEqual(NOW + 3 * DAY);
  }
});

it('says which file is broken when the notes cannot be read', async () => {
  await expect(readLedger(join(folder, 'nothing.json'))).resolves.toBeUndefined();
  await expect(readLedger(import.meta.filename)).rejects.toThrow(import.meta.filename);
});
