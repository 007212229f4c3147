// Bounds of JSON text: what is within them stays as it is, what is beyond goes without its neighbours.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeCut, nullLargeElements } from '../../server/posts/jsonBounds.ts';
import { cpuTime } from '../support/cpuTime.ts';

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

test('a text cut anywhere is closed behind the last element that is all there', () => {
  const anEvent = fc.dictionary(fc.constantFrom('url', 'data', '"]}', '\\'), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.array(anEvent, { minLength: 1 }),
      fc.jsonValue(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (events, more, share) => {
        const text = JSON.stringify({ more, events });
        const elements = events.map((event) => JSON.stringify(event));
        const at = Math.floor(text.length * share);
        const closed = closeCut(text.slice(0, at));
        // As many as end before the cut, and where all do, the text may be whole.
        let end = text.length - 2 - elements.join(',').length;
        const expected = events.filter((_, n) => {
          end += elements[n]!.length + (n > 0 ? 1 : 0);
          return end <= at;
        });
        const found = closed === '' ? [] : ((JSON.parse(closed) as { events?: unknown[] }).events ?? []);
        expect(found).toEqual(JSON.parse(JSON.stringify(expected)));
      },
    ),
    { numRuns: 200 },
  );
});

test('a text of brackets only is cut in no time', () => {
  const taken = cpuTime();
  for (const part of ['[', '{"events":[', '{', '"', '[{},'])
    expect(closeCut(part.repeat(500_000 / part.length))).toBeDefined();
  expect(taken()).toBeLessThan(500);
});
