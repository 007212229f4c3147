// The import graph of the server has no large cycle: a file can be understood with the files it imports, and few others.
import { expect, test } from 'vitest';
import { importCycles } from './support/importCycles.ts';
import { readSources } from './support/sources.ts';

const graphOf = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

test.each([
  ['a chain', { a: ['b'], b: ['c'], c: [] }, []],
  ['two files that import each other', { a: ['b'], b: ['a', 'c'], c: [] }, [['a', 'b']]],
  ['a cycle through a third file', { a: ['b'], b: ['c'], c: ['a'] }, [['a', 'b', 'c']]],
  ['two cycles that share a file', { a: ['b'], b: ['a', 'c'], c: ['b'] }, [['a', 'b', 'c']]],
  [
    'two cycles, one importing the other',
    { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
    [
      ['c', 'd'],
      ['a', 'b'],
    ],
  ],
  ['packages, which are no files of ours', { a: ['pino'], b: ['pino'] }, []],
])('the cycles of %s', (_, edges, cycles) => {
  expect(importCycles(graphOf(edges)).sort()).toEqual(cycles.sort());
});

test('no import cycle of the server, type imports included, has more than three files', () => {
  const sources = readSources('server');
  const graph = new Map(sources.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  expect([...graph.values()].flat().length).toBeGreaterThan(1000);
  expect(importCycles(graph).filter((files) => files.length > 3)).toEqual([]);
});
