// Nothing is written twice: no eight lines of code in a row stand in two places. Tests may repeat how they set their stage.
import { expect, test } from 'vitest';
import { readSources, type Source } from './support/sources.ts';

const LINES = 8;

/** Two places that may be alike, and why. */
const ALIKE: Record<string, string> = {};

interface Line {
  text: string;
  number: number;
}

/** Without what any two files share: imports, comments, and lines of brackets alone. */
const linesOf = ({ code }: Source): Line[] =>
  code
    .split('\n')
    .map((text, index) => ({ text: text.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !/^import |^} from |^[[\](){},;]+$/.test(text));

/** Pairs of files with the first line they have in common, each pair once. */
function duplicates(sources: Source[], least: number): Map<string, string> {
  const seen = new Map<string, { path: string; number: number }>();
  const found = new Map<string, string>();
  for (const source of sources) {
    const lines = linesOf(source);
    for (let at = 0; at + least <= lines.length; at++) {
      const block = lines.slice(at, at + least);
      const key = block.map(({ text }) => text).join('\n');
      const first = seen.get(key);
      const here = { path: source.path, number: block[0]!.number };
      if (first === undefined) seen.set(key, here);
      else {
        const pair = `${first.path} = ${here.path}`;
        if (!found.has(pair)) found.set(pair, `${first.path}:${first.number} = ${here.path}:${here.number}`);
      }
    }
  }
  return found;
}

const sources = readSources('server', 'widget', 'demo', 'bench');

test('the search looks at real files and finds what is there', () => {
  expect(sources.length).toBeGreaterThan(300);
  const first = sources.find((source) => linesOf(source).length >= LINES)!;
  expect([...duplicates([first, { ...first, path: 'copy.ts' }], LINES).keys()]).toContain(`${first.path} = copy.ts`);
});

test('no eight lines are written twice', () => {
  const found = duplicates(sources, LINES);
  for (const pair of Object.keys(ALIKE)) expect([...found.keys()], 'an exception without use').toContain(pair);
  expect([...found].filter(([pair]) => ALIKE[pair] === undefined).map(([, places]) => places)).toEqual([]);
});
