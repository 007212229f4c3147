// Months that are older than the tables keep them leave by a clock that is doubted.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { doubtedDays } from '../../server/sites/expiry.ts';
import { createRetention } from '../../server/sites/retention.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { addDays } from '../../server/traffic/zone.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';

const SITE = 'old.example' as SiteId;
const TODAY = '2035-06-15';
const NOON = Date.parse(`${TODAY}T12:00:00Z`);
/** Of views; nothing is older than 400 days and the month they end in. */
const FIRST = addDays(TODAY, -410);
const HOUR_MS = 3_600_000;

const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, n) => addDays(first, n));

test.each<[string, { days: string[]; doubted: number }]>([
  ['no view yet', { days: [], doubted: 0 }],
  ['views on each day', { days: daysFrom('2035-01-01', 165), doubted: 0 }],
  ['none for a week', { days: daysFrom('2035-01-01', 158), doubted: 0 }],
  ['none for eight days, until today', { days: daysFrom('2035-01-01', 157), doubted: 8 }],
  ['none for a year, until today', { days: daysFrom('2034-01-01', 165), doubted: 365 }],
  ['none for a year, until 29 days ago', { days: ['2034-05-16', ...daysFrom('2035-05-17', 29)], doubted: 365 }],
  ['none for a year, until 30 days ago', { days: ['2034-05-15', ...daysFrom('2035-05-16', 30)], doubted: 0 }],
  [
    'views of days to come, of a clock that was ahead',
    { days: [...daysFrom('2035-01-01', 165), '2036-06-01'], doubted: 0 },
  ],
  ['a view every ten days', { days: ['2035-05-16', '2035-05-26', '2035-06-05'], doubted: 27 }],
])('a clock is doubted where there was: %s', (_, { days, doubted }) => {
  expect(doubtedDays(days, TODAY)).toBe(doubted);
});

let place: Scratch;
let store: Store;
beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now: () => NOON });
  const days = daysFrom(FIRST, 411);
  const rows = days.map((day) => ({
    ...blankRow(SITE, `https://${SITE}/`),
    time: Date.parse(`${day}T12:00:00Z`),
    day,
  }));
  await store.events.append(rows, 'of each day');
});
afterAll(async () => {
  await store.close();
  place.remove();
});

/** As a server that is started at a time, and runs for an hour. */
async function runAt(start: number) {
  const lines: { level: number; msg: string; days?: number }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  let passed = 0;
  const retention = createRetention({
    sites: { list: () => [] },
    store,
    log,
    now: () => start + passed,
    clock: () => passed,
  });
  for (; passed <= 1.5 * HOUR_MS; passed += HOUR_MS / 2) await retention.tick();
  const [first] = await store.retention.days(SITE);
  return { first: first!.day, messages: lines.map(({ msg }) => msg), doubted: lines.find(({ days }) => days)?.days };
}

test('a server whose clock is a year ahead removes no month, also when events came and it is started again', async () => {
  const ahead = NOON + 365 * 24 * HOUR_MS;
  expect(await runAt(ahead)).toMatchObject({ first: FIRST, doubted: 364 });
  const day = addDays(TODAY, 365);
  await store.events.append([{ ...blankRow(SITE, `https://${SITE}/`), time: ahead, day }], 'of a year later');
  const again = await runAt(ahead + 24 * HOUR_MS);
  expect(again).toMatchObject({ first: FIRST, doubted: 364 });
  expect(
    again.messages.filter((message) => message.includes('so the clock of this machine may be ahead')),
  ).toHaveLength(1);
});

test('the right clock removes the months all of whose days are older than 400, once a day', async () => {
  // Since 31 May 2034 it is 400 days.
  const later = addDays(TODAY, 20);
  const rows = daysFrom(TODAY, 22).map((day) => ({
    ...blankRow(SITE, `https://${SITE}/`),
    time: Date.parse(`${day}T12:00:00Z`),
    day,
  }));
  await store.events.append(rows, 'of three weeks');
  // The last day of the month has ended in all time zones a day later.
  expect(await runAt(Date.parse(`${later}T12:00:00Z`))).toMatchObject({ first: FIRST });
  expect(await runAt(Date.parse(`${addDays(later, 1)}T12:00:00Z`))).toEqual({
    first: '2034-06-01',
    messages: [
      expect.stringContaining('events of days to come are stored'),
      'months that are older than the tables keep them were removed',
    ],
    doubted: undefined,
  });
});
