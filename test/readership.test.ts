// What readers read next, kept up to date from stored events: loaded in pieces, each view learned once, posts only.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { PostCard } from '../server/posts/post.ts';
import { createReadership } from '../server/readers/readership.ts';
import { parseSiteId } from '../server/sites/site.ts';
import type { ReadingStore } from '../server/storage/store.ts';
import { until } from './support/until.ts';

const site = parseSiteId('news.example')!;
const MINUTE = 60_000;
const silent = pino({ level: 'silent' });

interface View {
  time: number;
  url: string;
  visitor: string;
}

/** A store in memory that hands out an hour at a time, and a library in which `/…` are posts and `/home` is none. */
function world(views: View[], log = silent) {
  const clock = { now: 1000 * MINUTE, monotonic: 0 };
  const asked = { periods: 0, broken: false };
  const readings: ReadingStore = {
    async between(_, { from, to }) {
      asked.periods++;
      if (asked.broken) throw new Error('engine away');
      const read = views.filter(({ time }) => time >= from && time < to).sort((a, b) => a.time - b.time);
      return read.map((view) => ({ ...view, site }));
    },
    async newest(_, { to }) {
      if (asked.broken) throw new Error('engine away');
      return Array.from({ length: 4 }, (_, i) => ({
        from: to - (4 - i) * 60 * MINUTE,
        to: to - (3 - i) * 60 * MINUTE,
      }));
    },
    busiest: async () => [site],
  };
  const library = {
    ready: async () => true,
    isLoaded: () => true,
    resolve: async (_: unknown, url: string) => url.replace(/\?.*/, ''),
    cards: async (_: unknown, urls: readonly string[]) =>
      urls.flatMap((url) =>
        url === '/unknown' ? [] : [{ url, pageType: url === '/home' ? 'index' : 'post' } as PostCard],
      ),
  };
  const times = { now: () => clock.now, clock: () => clock.monotonic };
  const readership = createReadership({ store: { readings }, library, ...times, log });
  const next = (...read: string[]) =>
    readership
      .of(site)!
      .next(read, { now: clock.now, most: 9 })
      .filter(({ readers }) => readers > 0)
      .map(({ post }) => post);
  const loaded = () => until('readers are loaded', () => readership.of(site));
  return { clock, asked, readership, next, loaded };
}

const read = (visitor: string, minute: number, ...urls: string[]): View[] =>
  urls.map((url, step) => ({ time: (minute + step) * MINUTE, url, visitor }));

test('is not known before it is loaded, then has what readers of the same posts read, whatever address they came by', async () => {
  const { readership, next, loaded, asked } = world([
    ...read('1', 800, '/a?utm_source=mail', '/home', '/b'),
    ...read('2', 900, '/a', '/unknown', '/b?x=1', '/c'),
  ]);
  expect(readership.of(site)).toBeUndefined();
  await loaded();
  expect(next('/a')).toEqual(['/b', '/c']);
  expect(asked.periods).toBe(4);
  await readership.close();
});

test('learns what came since, each view once, also of a session under way when it was loaded', async () => {
  const views = read('1', 990, '/a');
  const { clock, readership, next, loaded } = world(views);
  await loaded();
  expect(next('/a')).toEqual([]);
  views.push(...read('1', 1001, '/b'));
  for (let look = 0; look < 3; look++) {
    clock.now += 2 * MINUTE;
    await readership.refresh();
  }
  expect(next('/a')).toEqual(['/b']);
  expect(readership.of(site)!.next(['/a'], { now: clock.now, most: 9 })[0]!.readers).toBe(1);
  await readership.close();
});

test('learns what was stored some seconds after it was read', async () => {
  const views = read('1', 990, '/a');
  const { clock, readership, next, loaded } = world(views);
  await loaded();
  clock.now += 2 * MINUTE;
  await readership.refresh();
  views.push({ visitor: '1', url: '/b', time: clock.now - 8_000 });
  clock.now += MINUTE;
  await readership.refresh();
  expect(next('/a')).toEqual(['/b']);
  await readership.close();
});

test('a clock that jumps by a year and back takes some questions, and loses nothing of what was read', async () => {
  const year = 365 * 24 * 60 * MINUTE;
  const { clock, asked, readership, next, loaded } = world(read('1', 900, '/a', '/b'));
  await loaded();
  for (const jump of [year, -year]) {
    asked.periods = 0;
    clock.now += jump;
    await readership.refresh();
    await loaded();
    expect(asked.periods).toBeLessThan(10);
  }
  expect(next('/a')).toEqual(['/b']);
  await readership.close();
});

test('a load that fails is tried again with the next question; a look that fails loses nothing', async () => {
  const views = read('1', 900, '/a', '/b');
  const { clock, asked, readership, next, loaded } = world(views);
  asked.broken = true;
  expect(readership.of(site)).toBeUndefined();
  asked.broken = false;
  await loaded();
  views.push(...read('2', 1000, '/a', '/c'));
  clock.now += 5 * MINUTE;
  asked.broken = true;
  await expect(readership.refresh()).rejects.toThrow('engine away');
  asked.broken = false;
  await readership.refresh();
  expect(next('/a')).toEqual(['/c', '/b']);
  await readership.close();
});

test('a site without requests is released, and loaded again by the next request', async () => {
  const { clock, asked, readership, loaded } = world(read('1', 900, '/a', '/b'));
  await loaded();
  clock.monotonic += 59 * MINUTE;
  // The clock of the machine is set forward meanwhile.
  clock.now += 500 * MINUTE;
  readership.dropIdle();
  expect(readership.of(site)).toBeDefined();
  clock.monotonic += 61 * MINUTE;
  readership.dropIdle();
  const before = asked.periods;
  await readership.refresh();
  expect(asked.periods).toBe(before);
  expect(readership.of(site)).toBeUndefined();
  await loaded();
  await readership.close();
});

test('a load that fails at each question, while the database is away, is one line a minute in the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const { readership, asked, clock } = world([], log);
  asked.broken = true;
  for (let questions = 0; questions < 20; questions++) await readership.warm(site);
  const msg = 'what readers read next could not be loaded';
  expect(lines).toMatchObject([{ msg, site }]);
  // The clock of the machine is set back meanwhile.
  clock.now -= 500 * MINUTE;
  clock.monotonic += MINUTE;
  await readership.warm(site);
  expect(lines).toMatchObject([{ msg }, { msg, more: 19 }]);
  await readership.close();
});
