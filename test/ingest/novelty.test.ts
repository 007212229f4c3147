// What a site may invent in an hour: the same whether or not somebody remembers what was met.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNovelty, type Met } from '../../server/ingest/novelty.ts';

const HOUR = 3600_000;
const aStep = fc.record({
  site: fc.constantFrom('a.example', 'b.example'),
  value: fc.integer({ min: 0, max: 12 }).map((page) => `https://page.example/${page}`),
  hour: fc.integer({ min: 0, max: 2 }),
});

test('a memory kept with a value changes no answer', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 80 }), (steps) => {
      const limits = { perHour: 4, remembered: 6 };
      const [plain, quick] = [createNovelty(limits), createNovelty(limits)];
      // One for a value, whichever site asks: a page is read before its site is known.
      const memories = new Map<string, Met>();
      for (const { site, value, hour } of steps) {
        const memory = memories.get(value) ?? {};
        memories.set(value, memory);
        expect(quick.admits(site, value, hour * HOUR, memory)).toBe(plain.admits(site, value, hour * HOUR));
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('what was met is forgotten by the memories, too', () => {
  const novelty = createNovelty({ perHour: 15_000, remembered: 20 });
  const memory: Met = {};
  expect(novelty.admits('a.example', 'first', 0, memory)).toBe(true);
  for (let page = 0; page < 14_999; page++) novelty.admits('a.example', `page ${page}`, 0);
  // Long unseen, it is new again, and this hour's allowance is spent.
  expect(novelty.admits('a.example', 'first', 0, memory)).toBe(false);
  expect(novelty.admits('a.example', 'first', HOUR, memory)).toBe(true);
});

test('a memory of one installation says nothing to another', () => {
  const memory: Met = {};
  expect(createNovelty({ perHour: 1, remembered: 10 }).admits('a.example', 'page', 0, memory)).toBe(true);
  expect(createNovelty({ perHour: 0, remembered: 10 }).admits('a.example', 'page', 0, memory)).toBe(false);
});
