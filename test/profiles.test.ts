// Profiles: what was read, newest first, for seven days, with no query for a visitor seen lately.
import { expect, test } from 'vitest';
import { createProfiles } from '../server/profiles.ts';
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

test('visits are told newest first, each page once, for seven days', async () => {
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
