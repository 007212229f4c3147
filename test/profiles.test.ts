// Profiles: what was read, newest first, for seven days, with no query for a visitor seen lately.
import { expect, test } from 'vitest';
import { createProfiles } from '../server/readers/profiles.ts';
import { parseSiteId } from '../server/sites/site.ts';
import type { ProfileStore } from '../server/storage/store.ts';

const site = parseSiteId('news.example')!;
const DAY = 86_400_000;

/** A store in memory that counts what is asked of it. */
function memory() {
  const rows: Parameters<ProfileStore['append']>[0][number][] = [];
  const asked = { appends: 0, reads: 0 };
  const profiles: ProfileStore = {
    async append(more) {
      asked.appends++;
      rows.push(...more);
    },
    async visits(of, uuid) {
      asked.reads++;
      const mine = rows.filter((row) => row.site === of && row.uuid === uuid);
      return mine.map(({ url, time }) => ({ url, time })).sort((a, b) => b.time - a.time);
    },
  };
  return { profiles, rows, asked };
}

test('visits are listed newest first, each page once, for seven days', async () => {
  const { profiles: store } = memory();
  let clock = 0;
  const profiles = createProfiles({ store: { profiles: store }, now: () => clock });
  const visit = (url: string, day: number) => {
    clock = day * DAY;
    return profiles.train(site, 'ann', url);
  };
  await visit('a', 1);
  await visit('b', 2);
  await visit('a', 3);
  await visit('c', 4);
  expect(await profiles.visits(site, 'ann')).toEqual([
    { url: 'c', time: 4 * DAY },
    { url: 'a', time: 3 * DAY },
    { url: 'b', time: 2 * DAY },
  ]);
  expect(await profiles.visits(site, 'bob')).toEqual([]);
  clock = 10 * DAY;
  expect((await profiles.visits(site, 'ann')).map(({ url }) => url)).toEqual(['c']);
  await profiles.drain();
});

test('a visitor who was just seen costs one query, however often the list is asked for', async () => {
  const { profiles: store, asked } = memory();
  const profiles = createProfiles({ store: { profiles: store }, now: () => DAY });
  await profiles.train(site, 'ann', 'a');
  await profiles.train(site, 'ann', 'b');
  for (let i = 0; i < 5; i++) expect(await profiles.visits(site, 'ann')).toHaveLength(2);
  expect(asked.reads).toBe(1);
  await profiles.drain();
});

test('visits that come together are written together', async () => {
  const { profiles: store, asked, rows } = memory();
  const profiles = createProfiles({ store: { profiles: store }, now: () => DAY });
  await Promise.all(Array.from({ length: 200 }, (_, i) => profiles.train(site, `visitor ${i}`, 'a')));
  expect(rows).toHaveLength(200);
  expect(asked.appends).toBeLessThanOrEqual(2);
  await profiles.drain();
});

test('a visit that could not be stored is refused and not remembered; a failed reading is tried again', async () => {
  const { profiles: store } = memory();
  let broken = true;
  const failing: ProfileStore = {
    append: (rows, token) => (broken ? Promise.reject(new Error('engine away')) : store.append(rows, token)),
    visits: (...ask) => (broken ? Promise.reject(new Error('engine away')) : store.visits(...ask)),
  };
  const profiles = createProfiles({ store: { profiles: failing }, now: () => DAY });
  await expect(profiles.train(site, 'ann', 'a')).rejects.toThrow('engine away');
  await expect(profiles.visits(site, 'ann')).rejects.toThrow('engine away');
  broken = false;
  expect(await profiles.visits(site, 'ann')).toEqual([]);
  await profiles.drain();
});

test('profiles in memory are bounded in bytes, whatever readers send, and one that was let go is read again', async () => {
  const { profiles: store, asked } = memory();
  const MIB = 1024 * 1024;
  const profiles = createProfiles({ store: { profiles: store }, now: () => DAY, cacheBytes: 4 * MIB });
  const page = (reader: number, visit: number) => `https://news.example/${reader}/${visit}/${'x'.repeat(1_900)}`;
  let most = 0;
  for (let first = 0; first < 100; first += 20) {
    const readers = Array.from({ length: 20 }, (_, at) => first + at);
    const pages = Array.from({ length: 40 }, (_, visit) => visit);
    const visits = readers.flatMap((reader) => pages.map((visit) => [`${reader}`, page(reader, visit)] as const));
    await Promise.all(visits.map(([uuid, url]) => profiles.train(site, uuid, url)));
    await Promise.all(readers.map((reader) => profiles.visits(site, `${reader}`)));
    most = Math.max(most, profiles.size().bytes);
  }
  // 15 MB of addresses were sent, as this table counts them.
  expect(most).toBeLessThanOrEqual(4 * MIB);
  expect(most).toBeGreaterThan(2 * MIB);
  expect(profiles.size().profiles).toBeLessThan(50);
  const before = asked.reads;
  expect(await profiles.visits(site, '0')).toHaveLength(40);
  expect(await profiles.visits(site, '99')).toHaveLength(40);
  expect(asked.reads - before).toBe(1);
  await profiles.drain();
});

test('of one profile the newest visits are kept: 500, or as many as have 100,000 characters together', async () => {
  const { profiles: store } = memory();
  let clock = 0;
  const profiles = createProfiles({ store: { profiles: store }, now: () => ++clock });
  const longest = (visit: number) => String(visit).padStart(2_000, 'x');
  for (const [uuid, url] of [
    ['short', String],
    ['long', longest],
  ] as const) {
    await Promise.all(Array.from({ length: 600 }, (_, visit) => profiles.train(site, uuid, url(visit))));
  }
  const [short, long] = [await profiles.visits(site, 'short'), await profiles.visits(site, 'long')];
  expect([short.length, long.length]).toEqual([500, 50]);
  expect([short[0]?.url, long[0]?.url]).toEqual(['599', longest(599)]);
  await profiles.drain();
});
