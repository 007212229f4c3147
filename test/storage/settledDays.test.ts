// The runs that keep what followed clicks: killed between their two inserts, and where rows are gone.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { settleDays } from '../../server/rankings/settleDays.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { CAUSED_VIEWS } from '../../server/storage/schema/causedViews.ts';
import { columnsOf } from '../../server/storage/schema/table.ts';
import { createSettledDayStore } from '../../server/storage/settledDays.ts';
import { KEPT_COLUMNS } from '../../server/traffic/ledger/causedViews.ts';
import { clickRows, DAY, page } from '../ledger/settling.ts';
import { migratedScratch, type Scratch } from './scratch.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const ID = parseSiteId('paper.example')!;
const SITE = { id: ID, timezone: 'UTC' } as Site;

let place: Scratch;
let engine: Engine;
beforeEach(async () => {
  place = await migratedScratch();
  engine = await connect(place.engine);
});
afterEach(async () => {
  await engine.close();
  place.remove();
});

const settle = (over: Engine, now = NOW) =>
  settleDays({ store: { settledDays: createSettledDayStore(over) }, sites: { find: () => SITE }, now: () => now });

async function happen(token: string, ...visitors: number[]): Promise<void> {
  const time = NOW - 5 * DAY;
  const rows = visitors.flatMap((visitor) => clickRows({ visitor, time: time + visitor, post: page('a') }));
  const of = (row: Partial<EventRow>) => ({ ...blankRow(ID), day: '2040-03-15', ...row }) as EventRow;
  await createEventStore(engine).append(rows.map(of), token);
}

const counted = async () =>
  (
    await engine.rows<{ all: number; kept: number }>(
      'SELECT count() AS all, countIf(run IN (SELECT run FROM settled_days FINAL)) AS kept FROM caused_views',
    )
  )[0];

test('every column of a caused view is kept', () => {
  expect([...KEPT_COLUMNS].sort()).toEqual(
    columnsOf(CAUSED_VIEWS)
      .map(({ name }) => name)
      .sort(),
  );
});

test('a run that is killed before it is recorded counts nowhere, and its rows are removed', async () => {
  await happen('one', 1, 2);
  const killed: Engine = {
    ...engine,
    insert: async (table, ...rest) => {
      if (table === 'settled_days') throw new Error('killed');
      await engine.insert(table, ...rest);
    },
  };
  await expect(settle(killed)).rejects.toThrow('1 days could not be settled');
  expect(await counted()).toEqual({ all: 2, kept: 0 });
  await settle(engine, NOW + 1000);
  expect(await counted()).toEqual({ all: 4, kept: 2 });
  await settle(engine, NOW + 2 * 3_600_000);
  expect(await counted()).toEqual({ all: 2, kept: 2 });
});

test('a day whose events are gone stays as it was settled', async () => {
  await happen('one', 1, 2);
  await settle(engine);
  await engine.command(`ALTER TABLE events DELETE WHERE visitor = 1`);
  await happen('two', 3);
  await settle(engine, NOW + 1000);
  expect(await counted()).toEqual({ all: 2, kept: 2 });
});

test('a clock that was set back does not undo a run', async () => {
  await happen('one', 1);
  await settle(engine);
  await happen('two', 2);
  await settle(engine, NOW - 3_600_000);
  expect(await counted()).toEqual({ all: 3, kept: 2 });
});

test('the statement of a day may take longer than a question of a reader', async () => {
  await happen('first', 1);
  const seconds: (number | undefined)[] = [];
  await settle({
    ...engine,
    lines(sql, params, how) {
      seconds.push(how?.maxSeconds);
      return engine.lines(sql, params, how);
    },
  });
  expect(seconds).toEqual([600]);
});
