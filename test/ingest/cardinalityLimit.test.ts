// What a site may invent in an hour: the same whether or not somebody remembers what was met.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCardinalityLimit, type Met } from '../../server/ingest/cardinality/cardinalityLimit.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const HOUR = 3600_000;
const AT_0 = { now: 0 };
const A = parseSiteId('a.example')!;
const B = parseSiteId('b.example')!;
const aStep = fc.record({
  site: fc.constantFrom(A, B),
  value: fc.integer({ min: 0, max: 12 }).map((page) => `https://page.example/${page}`),
  hour: fc.integer({ min: 0, max: 2 }),
});

test('a memory kept with a value changes no answer', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 80 }), (steps) => {
      const limits = { perHour: 4, remembered: 6 };
      const [plain, quick] = [createCardinalityLimit(limits), createCardinalityLimit(limits)];
      // One for a value, whichever site asks: a page is read before its site is known.
      const memories = new Map<string, Met>();
      for (const { site, value, hour } of steps) {
        const memory = memories.get(value) ?? {};
        memories.set(value, memory);
        expect(quick.admits(site, value, { now: hour * HOUR }, memory)).toBe(
          plain.admits(site, value, { now: hour * HOUR }),
        );
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('what was met is forgotten by the memories, too', () => {
  const novelty = createCardinalityLimit({ perHour: 15_000, remembered: 20 });
  const memory: Met = {};
  expect(novelty.admits(A, 'first', AT_0, memory)).toBe(true);
  for (let page = 0; page < 14_999; page++) novelty.admits(A, `page ${page}`, AT_0);
  // Long unseen, it is new again, and this hour's allowance is spent.
  expect(novelty.admits(A, 'first', AT_0, memory)).toBe(false);
  expect(novelty.admits(A, 'first', { now: HOUR }, memory)).toBe(true);
});

test('a memory of one installation says nothing to another', () => {
  const memory: Met = {};
  expect(createCardinalityLimit({ perHour: 1, remembered: 10 }).admits(A, 'page', AT_0, memory)).toBe(true);
  expect(createCardinalityLimit({ perHour: 0, remembered: 10 }).admits(A, 'page', AT_0, memory)).toBe(false);
});

test('one network brings a twentieth of what the site may, and none of it twice an hour', () => {
  const novelty = createCardinalityLimit({ perHour: 200, remembered: 1000 });
  const from = (network: string | undefined, values: number, now = 0) =>
    Array.from({ length: values }, (_, value) => novelty.admits(A, `${network} ${now} ${value}`, { now, network }));
  const admitted = (answers: boolean[]) => answers.filter(Boolean).length;
  expect(admitted(from('198.18.7', 500))).toBe(10);
  expect(admitted(from('203.0.113', 500))).toBe(10);
  // Where the network is not known only the site's own bound holds.
  expect(admitted(from(undefined, 500))).toBe(180);
  expect(admitted(from('203.0.114', 5))).toBe(0);
  expect(admitted(from('198.18.7', 500, HOUR))).toBe(10);
});

test('more networks than are counted do not lift the bound of a site', () => {
  const novelty = createCardinalityLimit({ perHour: 10_000, remembered: 100_000 });
  const sites = Array.from({ length: 6 }, (_, site) => parseSiteId(`site-${site}.example`)!);
  // Each name comes from a network of its own, as from somebody who has the addresses of a provider.
  const admittedOf = (site: (typeof sites)[number], names: number, from = 0) =>
    Array.from({ length: names }, (_, name) =>
      novelty.admits(site, `${from + name}`, { now: 0, network: `2001:db8:${from + name}` }),
    ).filter(Boolean).length;
  for (const site of sites) expect(admittedOf(site, 10_000)).toBe(10_000);
  expect(admittedOf(sites[0]!, 100, 10_000)).toBe(0);
});

test('a clock that is set back or forward starts the allowance anew, and locks no site out', () => {
  const novelty = createCardinalityLimit({ perHour: 20, remembered: 1000 });
  for (const [set, hour] of [10, 15, 10, 5].entries()) {
    for (let value = 0; value < 20; value++)
      expect(novelty.admits(A, `${hour} ${set} ${value}`, { now: hour * HOUR })).toBe(true);
    expect(novelty.admits(A, `${hour} one more`, { now: hour * HOUR })).toBe(false);
  }
});

test('what is exempt costs nothing, also when nothing is left', () => {
  const novelty = createCardinalityLimit({
    perHour: 1,
    remembered: 1000,
    exempt: (_, value) => value.startsWith('post'),
  });
  for (let post = 0; post < 50; post++) expect(novelty.admits(A, `post ${post}`, AT_0)).toBe(true);
  expect(novelty.admits(A, 'invented', AT_0)).toBe(true);
  expect(novelty.admits(A, 'invented too', AT_0)).toBe(false);
  expect(novelty.admits(A, 'post 51', AT_0)).toBe(true);
});
