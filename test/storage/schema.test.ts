// The declared schema: what was released stays as it was, and an upgrade leads from each release to the next.
import { expect, test } from 'vitest';
import { EVENT_COLUMNS } from '../../server/storage/eventLine.ts';
import { EVENTS } from '../../server/storage/schema/events.ts';
import { SCHEMA, VERSION } from '../../server/storage/schema/schema.ts';
import { SERVER_TABLES } from '../../server/storage/schema/serverTables.ts';
import { createStatements } from '../../server/storage/schema/statements.ts';
import { COUNTS, columnsOf, isInserted, keepOf } from '../../server/storage/schema/table.ts';
import { readStatements, SEPARATOR } from './recordedSchemas.ts';

test('the tables are those that are recorded for this version: after a release, a change is an upgrade and a new version', async () => {
  await expect(`${createStatements(SCHEMA.tables).join(SEPARATOR)};\n`).toMatchFileSnapshot(`schemas/${VERSION}.sql`);
});

test('upgrades lead from the first version to this one, and each version has its tables and rows recorded', () => {
  expect(SCHEMA.upgrades.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: VERSION - 1 }, (_, at) => [at + 1, at + 2]),
  );
  for (let version = 1; version <= VERSION; version++) {
    expect(readStatements(`${version}.sql`).length).toBeGreaterThan(20);
    expect(readStatements(`${version}.rows.sql`).length).toBeGreaterThan(5);
  }
});

test('names are used once, and every view reads a declared table and fills columns that are there', () => {
  const tables = [...SCHEMA.tables, ...SERVER_TABLES];
  const views = tables.flatMap((table) => (table.views ?? []).map((view) => ({ table, view })));
  const names = [...tables.map(({ name }) => name), ...views.map(({ view }) => view.name)];
  expect(new Set(names).size).toBe(names.length);
  for (const { table, view } of views) {
    expect(names).toContain(view.from);
    // Sums of a roll-up are added up by the order of the table, so a view groups by all of it.
    expect([...view.groupBy.split(', ').map((one) => one.replace(/^\w+_post$/, 'post'))].sort()).toEqual(
      [...table.orderBy].sort(),
    );
  }
});

test('every column of an event that is stored is inserted', () => {
  const stored = columnsOf(EVENTS).filter(isInserted);
  expect([...EVENT_COLUMNS].sort()).toEqual(stored.map(({ name }) => name).sort());
});

test('what is stored of readers is removed after some time, in every table', () => {
  const isOfReader = ({ name, type }: { name: string; type: string }) =>
    ['visitor', 'uuid'].includes(name) || type.startsWith('AggregateFunction(uniq');
  const ofReaders = SCHEMA.tables.filter((table) => columnsOf(table).some(isOfReader));
  expect(ofReaders.map(({ name }) => name)).toEqual(expect.arrayContaining(['events', 'visitors', 'profile_visits']));
  for (const table of ofReaders)
    expect([table.name, table.ttl ?? keepOf(table)]).toEqual([table.name, expect.anything()]);
});

test('everything that a backup counts is declared by one table', () => {
  expect(SCHEMA.tables.flatMap(({ counted }) => (counted ? [counted.as] : [])).sort()).toEqual([...COUNTS].sort());
});
