// What is typed into a search box, as units that have to be found.
import { expect, test } from 'vitest';
import { parseQuery } from '../../server/search/parseQuery.ts';

const unitsOf = (text: string) => parseQuery(text).map((unit) => (unit.quoted ? `"${unit.text}"` : unit.text));

test.each<[text: string, units: string[]]>([
  ['night "old harbour"', ['night', '"old harbour"']],
  ['„alter Hafen“ heute', ['"alter hafen"', 'heute']],
  ['night "old harbour', ['night', 'old', 'harbour']],
  ['"old harbour" "night', ['"old harbour"', 'night']],
  ['"', []],
  ['""', []],
  ['night "night"', ['"night"']],
  ['harbour harbour', ['harbour']],
])('%s', (text, units) => {
  expect(unitsOf(text)).toEqual(units);
});
