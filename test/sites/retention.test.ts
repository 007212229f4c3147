// A site with more bytes than it may have loses its oldest days of events, as many as it takes, and never the last eight.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { makeSite } from '../../server/sites/newSite.ts';
import { createRetention } from '../../server/sites/retention.ts';
import type { Site, SiteId } from '../../server/sites/site.ts';
import type { SiteQuotas } from '../../server/sites/siteQuotas.ts';
import { connect } from '../../server/storage/connect.ts';
import { QueryTimeoutError } from '../../server/storage/errors.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { SiteDay } from '../../server/storage/siteDay.ts';
import type { Store } from '../../server/storage/store.ts';
import { addDays } from '../../server/traffic/zone.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const TODAY = new Date(NOW).toISOString().slice(0, 10);
const LARGE = 'large.example' as SiteId;
const BESIDE = 'beside.example' as SiteId;

let place: Scratch;
let store: Store;
beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now: () => NOW });
  for (const site of [LARGE, BESIDE]) {
    const rows = Array.from({ length: 4000 }, (_, n) => {
      const time = NOW - (n % 40) * DAY_MS;
      const day = new Date(time).toISOString().slice(0, 10);
      return { ...blankRow(site, `https://${site}/${n}`), time, day, visitor: String(n + 1) };
    });
    await store.events.append(rows, `of ${site}`);
  }
});
afterAll(async () => {
  await store.close();
  place.remove();
});

const bytesOf = async (site: SiteId) => (await store.siteSizes.read(site))[0]!.bytes;

async function retain(maxDisk: number) {
  const site = { ...makeSite(LARGE, { now: NOW }).site, quotas: { maxDisk } };
  const retention = createRetention({
    sites: { list: () => [site] },
    store,
    log: silent,
    now: () => NOW,
    clock: () => 0,
  });
  await retention.tick();
  return { days: (await store.retention.days(LARGE)).map(({ day }) => day), uses: retention.uses() };
}

test('as many of the oldest days as it takes, not one of another site, and none when it fits', async () => {
  const before = await bytesOf(LARGE);
  expect((await retain(before)).days).toHaveLength(40);
  const limit = Math.round(before * 0.8);
  const { days, uses } = await retain(limit);
  expect(days.length).toBeGreaterThan(20);
  expect(days.length).toBeLessThan(38);
  expect(days.at(-1)).toBe(TODAY);
  const after = await bytesOf(LARGE);
  // Days are weighed by the bytes of a row before they leave; the rows that stay are compressed less well, by how much
  // depends on the date: days fall into weeks and months in another way.
  expect(after).toBeLessThanOrEqual(limit * 1.1);
  expect(uses).toEqual([{ site: LARGE, quota: 'disk', used: after, limit }]);
  expect(await store.retention.days(BESIDE)).toHaveLength(40);
  // The next looks find what is still too much: a week of visitors stays until all its days have left.
  for (let look = 0; look < 4; look++) await retain(limit);
  expect((await store.retention.days(LARGE)).length).toBeGreaterThan(15);
  expect(await bytesOf(LARGE)).toBeLessThanOrEqual(limit);
});

test('the last eight days stay, however little the site may have', async () => {
  const { days, uses } = await retain(1);
  expect(days).toEqual(Array.from({ length: 8 }, (_, at) => addDays(TODAY, at - 7)));
  expect(uses[0]!.used).toBeGreaterThan(1);
});

/** Retention of one site, and the days before which it has asked to remove. */
function retentionOf(site: Site) {
  const asked: SiteDay[] = [];
  const removeBefore: Store['retention']['removeBefore'] = async (days) => {
    asked.push(...days);
    return new Map();
  };
  const retention = createRetention({
    sites: { list: () => [site] },
    store: { ...store, retention: { ...store.retention, removeBefore } },
    log: silent,
    now: () => NOW,
    clock: () => 0,
  });
  return { retention, asked };
}

test.each([
  ['days, where it keeps fewer', { keepEvents: 10 }, 1, -10],
  ['bytes, where these fit fewer', { keepEvents: 30 }, Number.POSITIVE_INFINITY, -7],
])('of a site with both quotas, the one of %s decides', async (_, quotas, over, first) => {
  const maxDisk = Math.max(1, (await bytesOf(BESIDE)) - over);
  const site = { ...makeSite(BESIDE, { now: NOW }).site, quotas: { ...quotas, maxDisk } };
  const { retention, asked } = retentionOf(site);
  await retention.tick();
  expect(asked).toEqual([{ site: BESIDE, day: addDays(TODAY, first) }]);
});

test('days stay until a later look where what comes before their removal has failed', async () => {
  const site = { ...makeSite(BESIDE, { now: NOW }).site, quotas: { keepEvents: 10 } };
  const { retention, asked } = retentionOf(site);
  const leaving = () => Promise.reject(new Error('The experiment cannot be ended.'));
  await expect(retention.tick({ leaving })).rejects.toThrow('The days of 1 sites could not be weighed or left.');
  expect(asked).toEqual([]);
  await retention.tick({ leaving: async () => undefined });
  expect(asked).toHaveLength(1);
});

test('a site is looked at when a quota of it has changed, else once an hour', async () => {
  // A new day is a reason of its own.
  const noon = Date.parse(`${TODAY}T12:00:00Z`);
  const now = { quotas: { maxDisk: 2 ** 40 } as SiteQuotas, passed: 0 };
  let looks = 0;
  const read = async () => {
    looks++;
    return [];
  };
  const retention = createRetention({
    sites: { list: () => [{ ...makeSite(BESIDE, { now: NOW }).site, quotas: now.quotas }] },
    store: { ...store, siteSizes: { ...store.siteSizes, read } },
    log: silent,
    now: () => noon + now.passed,
    clock: () => now.passed,
  });
  const hour = 3_600_000;
  const looksAfter = async (change: Partial<typeof now>) => {
    Object.assign(now, change);
    await retention.tick();
    return looks;
  };
  expect(await looksAfter({})).toBe(1);
  expect(await looksAfter({ passed: hour / 2 })).toBe(1);
  expect(await looksAfter({ quotas: { maxDisk: 2 ** 30 } })).toBe(2);
  expect(await looksAfter({ quotas: { maxDisk: 2 ** 30, keepEvents: 400 } })).toBe(3);
  expect(await looksAfter({ passed: hour })).toBe(3);
  expect(await looksAfter({ passed: 2 * hour })).toBe(4);
});

test('a clock that is set forward by mistake removes nothing, and the right one does when an hour has passed', async () => {
  const site = { ...makeSite(BESIDE, { now: NOW }).site, quotas: { keepEvents: 30 } };
  const time = { wall: NOW, passed: 0 };
  const retention = createRetention({
    sites: { list: () => (time.passed === 0 ? [] : [site]) },
    store,
    log: silent,
    now: () => time.wall,
    clock: () => time.passed,
  });
  const lookAt = async (wall: number, passed: number) => {
    Object.assign(time, { wall, passed });
    await retention.tick();
    return (await store.retention.days(BESIDE)).map(({ day }) => day);
  };
  // The first look compares the clock with what is stored.
  expect(await lookAt(NOW, 0)).toHaveLength(40);
  expect(await lookAt(NOW + 400 * DAY_MS, 1_000)).toHaveLength(40);
  expect(await lookAt(NOW + 2_000, 2_000)).toHaveLength(40);
  const hour = 3_600_000;
  const [first] = await lookAt(NOW + hour + 2_000, hour + 2_000);
  expect(first).toBe(addDays(new Date(NOW + hour + 2_000).toISOString().slice(0, 10), -30));
});

test('a server that is started with a clock years ahead removes nothing within an hour, and says what is wrong', async () => {
  const lines: { level: number; msg: string; newest?: string }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const site = { ...makeSite(BESIDE, { now: NOW }).site, quotas: { keepEvents: 30 } };
  const before = (await store.retention.days(BESIDE)).length;
  const startAt = async (wall: number) => {
    await createRetention({ sites: { list: () => [site] }, store, log, now: () => wall, clock: () => 0 }).tick();
    return (await store.retention.days(BESIDE)).length;
  };
  expect(await startAt(NOW + 5 * 365 * DAY_MS)).toBe(before);
  expect(lines).toMatchObject([{ level: 40, newest: TODAY, msg: expect.stringContaining('if it is ahead') }]);
  // One that is behind finds events of days to come.
  expect(await startAt(NOW - 20 * DAY_MS)).toBe(before);
  expect(lines.slice(1)).toMatchObject([{ level: 40, msg: expect.stringContaining('events of days to come') }]);
});

test('a history that is brought in after the start is no sign of a wrong clock', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  let newest: string | undefined;
  const beginning = { ...store, retention: { ...store.retention, newestDay: async () => newest } };
  const retention = createRetention({
    sites: { list: () => [] },
    store: beginning,
    log,
    now: () => NOW,
    clock: () => 0,
  });
  newest = addDays(TODAY, -30);
  await retention.tick();
  expect(lines).toEqual([]);
});

test('the clock is compared later where the database is away at the start', async () => {
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const answers = [() => Promise.reject(new Error('It is away.')), async () => addDays(TODAY, -30)];
  const away = { ...store, retention: { ...store.retention, newestDay: () => answers.shift()!() } };
  const retention = createRetention({ sites: { list: () => [] }, store: away, log, now: () => NOW, clock: () => 0 });
  await expect(retention.tick()).rejects.toThrow('It is away.');
  await retention.tick();
  expect(lines).toMatchObject([{ msg: expect.stringContaining('if it is ahead') }]);
});

test('a site whose days cannot be weighed keeps no other from its retention, and is tried again', async () => {
  const siteOf = (id: SiteId, quotas: SiteQuotas) => ({ ...makeSite(id, { now: NOW }).site, quotas });
  const sites = [siteOf(LARGE, { maxDisk: 1 }), siteOf(BESIDE, { keepEvents: 20 })];
  let weighed = 0;
  const days = () => {
    weighed++;
    return Promise.reject(new QueryTimeoutError('The question took too long.'));
  };
  const retention = createRetention({
    sites: { list: () => sites },
    store: { ...store, retention: { ...store.retention, days } },
    log: silent,
    now: () => NOW,
    clock: () => 0,
  });
  await expect(retention.tick()).rejects.toThrow('The days of 1 sites could not be weighed or left.');
  expect(await store.retention.days(BESIDE)).toHaveLength(21);
  await expect(retention.tick()).rejects.toThrow();
  expect(weighed).toBe(2);
});

test('a server that stops waits for no removal under way, which the database continues by itself', async () => {
  const site = { ...makeSite(BESIDE, { now: NOW }).site, quotas: { keepEvents: 15 } };
  const retention = createRetention({
    sites: { list: () => [site] },
    store,
    log: silent,
    now: () => NOW,
    clock: () => 0,
  });
  const engine = await connect(place.engine);
  try {
    await engine.command('SYSTEM STOP MERGES events');
    const stop = new AbortController();
    const tick = retention.tick({ stop: stop.signal });
    const sql = `SELECT count() AS begun FROM system.mutations WHERE table = 'events' AND NOT is_done`;
    await until(
      'events are being removed',
      async () => Number((await engine.rows<{ begun: number }>(sql))[0]!.begun) > 0,
    );
    stop.abort();
    await tick;
    expect(await store.retention.days(BESIDE)).toHaveLength(21);
    await engine.command('SYSTEM START MERGES events');
    await until('the days have left', async () => (await store.retention.days(BESIDE)).length === 16);
  } finally {
    await engine.close();
  }
});

test('what holds readers leaves with its last day also where no event of the site came since', async () => {
  const site = { ...makeSite('silent.example' as SiteId, { now: NOW }).site, quotas: { keepEvents: 10 } };
  // The engine removes reports by its own clock.
  const tuesday = addDays(TODAY, -28 - ((new Date(NOW).getUTCDay() + 5) % 7));
  const eventOf = (day: string): EventRow => {
    const row = blankRow(site.id, 'https://silent.example/');
    return { ...row, time: Date.parse(`${day}T12:00:00Z`), day, visitor: '7' };
  };
  const list = { list: 'related', slot: '1', layout: 'list', experiment: '', variant: '', shown: true, items: [] };
  // A page that was left open over midnight reports its list on a day without views.
  const report: EventRow = { ...eventOf(addDays(tuesday, 1)), action: 'list', lists: [list] };
  await store.events.append([eventOf(tuesday), report], 'of silent.example');
  const time = { days: 0 };
  const start = Date.parse(`${addDays(tuesday, 11)}T12:00:00Z`);
  const now = () => start + time.days * DAY_MS;
  const retention = createRetention({ sites: { list: () => [site] }, store, log: silent, now, clock: now });
  const tablesAfter = async (days: number) => {
    time.days = days;
    await retention.tick();
    const [{ tables } = { tables: [] }] = await store.siteSizes.read(site.id);
    return tables.map(({ table }) => table).filter((table) => store.retention.tables.includes(table));
  };
  expect((await tablesAfter(0)).sort()).toEqual(['ledger', 'ledger_quarters', 'post_visitor_weeks']);
  expect(await tablesAfter(1)).toEqual(['post_visitor_weeks']);
  expect(await tablesAfter(4)).toEqual(['post_visitor_weeks']);
  expect(await tablesAfter(5)).toEqual([]);
});
