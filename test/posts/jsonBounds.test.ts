// Bounds of JSON text: what is within them stays as it is, what is beyond goes without its neighbours.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nullLargeElements } from '../../server/posts/jsonBounds.ts';

const WIDE = { depth: 1000, values: 1_000_000 };

test('text within the bounds is returned as it is, whatever it holds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(nullLargeElements(text, WIDE)).toBe(text);
    }),
  );
});

test('elements beyond the bounds become null, their neighbours stay', () => {
  const deep = '[['.repeat(20) + ']]'.repeat(20);
  const long = `{"a":"]}\\"","b":[${'0,'.repeat(50)}0]}`;
  const small = '{"u":"[{,\\\\"}';
  const text = `{"events":[${[small, deep, small, long, small]}]}`;
  const bounded = nullLargeElements(text, { depth: 10, values: 40 });
  expect(bounded).toBe(`{"events":[${[small, 'null', small, 'null', small]}]}`);
});

test.each([
  ['of too many values beside its elements', `{"events":[${'0,'.repeat(41)}0]}`],
  ['whose brackets are not closed', `{"events":[${'['.repeat(100)}`],
])('a text %s is not read', (_, text) => {
  expect(nullLargeElements(text, { depth: 10, values: 40 })).toBeUndefined();
});
