// docs/consent.md says how long what is stored of readers stays: the table is compared with the schema.
import { expect, test } from 'vitest';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { keepOf } from '../../server/storage/schema/table.ts';
import { readGuide } from './guides/guide.ts';

const rows = readGuide('consent.md')
  .section('On the server')
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('`'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , table, removed]): [table: string, days: number] => [
    /`(\w+)`/.exec(table!)![1]!,
    Number.parseInt(removed!, 10),
  ]);

test('the tables with data of readers are named', () => {
  expect(rows.map(([table]) => table).sort()).toEqual([
    'events',
    'ledger',
    'post_visitors',
    'profile_visits',
    'visitors',
  ]);
});

test.each(rows)('what is in the table %s is removed after %i days', (name, days) => {
  const table = SCHEMA.tables.find((one) => one.name === name)!;
  if (table.ttl === undefined) expect(keepOf(table)).toMatchObject({ days });
  else expect(table.ttl).toContain(` + INTERVAL ${days} DAY`);
});
