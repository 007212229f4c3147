// Tables that commands print.
import { expect, test } from 'vitest';
import { table } from '../../server/cli/table.ts';

test('a table has as many rows as there are, also more than a call has arguments', () => {
  const lines = table(['NAME', 'N'], [...Array.from({ length: 300_000 }, () => ['short', '1']), ['longer name', '2']]);
  expect(lines).toHaveLength(300_002);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['NAME         N', 'short        1', 'longer name  2']);
});
