// The threat model names a test for each defence: those tests exist, under the titles it quotes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/build.ts';

const rows = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Attack|Mishap) \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Files named in a cell, each with the titles quoted after it. */
function evidence(cell: string): { file: string; titles: string[] }[] {
  return cell
    .split(/(?=`test\/)/)
    .filter((part) => part.startsWith('`test/'))
    .map((part) => ({
      file: /^`([^`]+)`/.exec(part)?.[1] ?? '',
      titles: [...part.matchAll(/"([^"]+)"/g)].map(([, title]) => title!),
    }));
}

test('there is a table of attacks', () => {
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows.map((cells) => [cells[1], cells[3] ?? '']))('%s', (_, cell) => {
  const named = evidence(cell);
  expect(named.length).toBeGreaterThan(0);
  for (const { file, titles } of named) {
    expect(existsSync(join(root, file)), file).toBe(true);
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    // Of a test, not of a remark.
    const code = lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).join('\n');
    for (const title of titles) expect(code, file).toContain(title);
  }
});
