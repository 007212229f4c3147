// The salt of the day among copies of the server that share a database: one for all, that of the first copy, and erased
// with its day.
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSaltKeeper, type SaltKeeper } from '../../server/ingest/salts/saltKeeper.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { SaltStore, Store } from '../../server/storage/store.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
/** Days to come: the engine, which has a clock of its own, erases those that are over. */
let noon = Math.floor(Date.now() / DAY) * DAY + DAY + 12 * HOUR;

let place: Scratch;
let store: Store;
beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now: () => noon });
});
afterAll(async () => {
  await store.close();
  place.remove();
});

const open: SaltKeeper[] = [];
afterEach(() => {
  for (const keeper of open.splice(0)) keeper.close();
  noon += 10 * DAY;
});

const AWAY: SaltStore = {
  agree: () => Promise.reject(new Error('connection refused')),
  eraseBefore: () => Promise.reject(new Error('connection refused')),
};

let copies = 0;
/** A copy of the server, with a folder of its own. */
async function copy(time: number, shared: SaltStore | 'none' = store.salts): Promise<SaltKeeper> {
  copies += 1;
  const file = join(place.dir, `copy-${copies}`, 'salt');
  const keeper = await openSaltKeeper({
    file,
    shared: () => (shared === 'none' ? undefined : shared),
    now: () => time,
    log: silent,
  });
  open.push(keeper);
  // A periodic job, of one of the copies.
  await keeper.erase();
  return keeper;
}

const days = async () => {
  const rows = await store.traffic.run({ sql: 'SELECT toString(day) AS name FROM salts ORDER BY name', params: {} });
  return rows.map(({ name }) => name);
};
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

test('copies that start at the same moment agree on one, and who comes later takes it over', async () => {
  const together = await Promise.all(Array.from({ length: 12 }, () => copy(noon)));
  const salts = together.map((keeper) => keeper.of(noon));
  expect(new Set(salts).size).toBe(1);
  expect(salts[0]).toMatch(/^[0-9a-f]{64}$/);
  expect((await copy(noon + 3 * HOUR)).of(noon)).toBe(salts[0]);
});

test('alone, a server keeps one of its own', async () => {
  const [one, other] = [await copy(noon, 'none'), await copy(noon, 'none')];
  expect(one.of(noon)).not.toBe(other.of(noon));
  expect(await days()).not.toContain(dateOf(noon));
});

test('the next day has another one, known before midnight by all; the day’s own is erased after it', async () => {
  const midnight = noon + 12 * HOUR;
  const late = await Promise.all([copy(midnight - HOUR / 2), copy(midnight - HOUR / 3)]);
  const [first, second] = late.map((keeper) => [keeper.of(midnight - 1), keeper.of(midnight)]);
  expect(first).toEqual(second);
  expect(first![0]).not.toBe(first![1]);
  expect(await days()).toEqual([dateOf(noon), dateOf(midnight)]);
  const next = await copy(midnight + 1000);
  expect(next.of(midnight + 1000)).toBe(first![1]);
  expect(await days()).toEqual([dateOf(midnight), dateOf(midnight + DAY)]);
});

test('a copy whose clock is behind cannot bring back what was erased', async () => {
  await copy(noon);
  await copy(noon + DAY);
  const behind = await copy(noon + 11 * HOUR);
  expect(behind.of(noon)).toMatch(/^[0-9a-f]{64}$/);
  expect(await days()).toEqual([dateOf(noon + DAY), dateOf(noon + 2 * DAY)]);
});

test('a copy that starts while the database is away continues with what was agreed on, over midnight too, and erases it after its day', async () => {
  const file = join(place.dir, 'restarted', 'salt');
  const begin = (shared: SaltStore, time: number) =>
    openSaltKeeper({ file, shared: () => shared, now: () => time, log: silent });
  const first = await copy(noon);
  const agreed = await begin(store.salts, noon);
  agreed.close();
  const restarted = await begin(AWAY, noon + HOUR);
  restarted.close();
  expect(restarted.of(noon + HOUR)).toBe(first.of(noon));
  expect(restarted.of(noon + DAY)).toBe(first.of(noon + DAY));
  expect(readFileSync(`${file}s`, 'utf8')).toContain(first.of(noon));
  (await begin(AWAY, noon + DAY)).close();
  expect(readFileSync(`${file}s`, 'utf8')).not.toContain(first.of(noon));
});

test('while the database is away a server has one of its own, and offers that when it is back', async () => {
  const file = join(place.dir, 'lonely', 'salt');
  const begin = (shared: SaltStore) => openSaltKeeper({ file, shared: () => shared, now: () => noon, log: silent });
  const lonely = await begin(AWAY);
  const salt = lonely.of(noon);
  lonely.close();
  const back = await begin(store.salts);
  open.push(back);
  expect(back.of(noon)).toBe(salt);
  expect((await copy(noon)).of(noon)).toBe(salt);
});

test('a disk that takes no salt at midnight ends nothing: the day has its salt, earlier ones leave the disk, and it is written when there is room', async () => {
  const file = join(place.dir, 'full', 'salt');
  let time = noon;
  const keeper = await openSaltKeeper({ file, shared: () => store.salts, now: () => time, log: silent });
  open.push(keeper);
  const friday = [keeper.of(noon), readFileSync(file, 'utf8').slice(-65, -1)];
  const full = [`${file}.next`, `${file}s.next`];
  for (const name of full) mkdirSync(name);
  // A restart on the full disk keeps the salts that are there.
  const restarted = await openSaltKeeper({ file, shared: () => AWAY, now: () => time, log: silent });
  open.push(restarted);
  expect(restarted.of(noon)).toBe(friday[0]);
  expect(readFileSync(file, 'utf8')).toContain(friday[1]);

  time = noon + DAY;
  await keeper.agree();
  expect(keeper.of(time)).toMatch(/^[0-9a-f]{64}$/);
  expect(friday).not.toContain(keeper.of(time));
  time += 2 * HOUR;
  await keeper.agree();
  expect([existsSync(file), existsSync(`${file}s`)]).toEqual([false, false]);

  for (const name of full) rmdirSync(name);
  await keeper.agree();
  expect(readFileSync(`${file}s`, 'utf8')).toContain(keeper.of(time));
  expect(readFileSync(file, 'utf8')).not.toContain(friday[1]);
});

test('a clock set over midnight by mistake, and back within the hour, erases no salt; one that stays there does', async () => {
  await copy(noon);
  const time = { wall: noon, passed: 0 };
  const clocks = { now: () => time.wall, clock: () => time.passed };
  const file = join(place.dir, 'set', 'salt');
  const keeper = await openSaltKeeper({ file, shared: () => store.salts, ...clocks, log: silent });
  open.push(keeper);
  const lookAt = async (wall: number, passed: number) => {
    Object.assign(time, { wall, passed });
    await keeper.agree();
    await keeper.erase();
  };
  const salt = keeper.of(noon);
  await lookAt(noon + DAY, HOUR / 2);
  expect(keeper.of(noon)).toBe(salt);
  expect(await days()).toContain(dateOf(noon));
  await lookAt(noon, HOUR);
  expect(keeper.of(noon)).toBe(salt);
  await lookAt(noon + DAY, 2 * HOUR);
  await lookAt(noon + DAY + HOUR, 3 * HOUR);
  expect(keeper.of(noon)).not.toBe(salt);
  expect(await days()).not.toContain(dateOf(noon));
});
