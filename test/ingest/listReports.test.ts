// Reports of lists as pages send them: which posts they name, and that a row is read again from what an export writes of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ITEM_SOURCES, LEDGER_LIMITS } from '../../server/contract/ledger.ts';
import { AddressReader } from '../../server/ingest/steps/address.ts';
import { parseLists, toListReport } from '../../server/ingest/steps/lists.ts';
import { nameOfPostId } from '../../server/posts/postId.ts';

const NAMES = { list: 'related', slot: 'end', layout: 'grid' };

test.each<[string, string, string, string | undefined]>([
  ['its URL', 'https://paper.example/a', 'https://paper.example/b?utm_source=x', 'https://paper.example/b'],
  ['its path', 'https://paper.example/a', '/b', 'https://paper.example/b'],
  ['its path and query', 'https://paper.example/a?page=2', '/b?id=3', 'https://paper.example/b?id=3'],
  ['its path, on a port', 'http://127.0.0.1:8080/a', '/b', 'http://127.0.0.1:8080/b'],
  [
    'what looks like another host',
    'https://paper.example/a',
    '//evil.example/b',
    'https://paper.example//evil.example/b',
  ],
  ['a path on a page without an address', nameOfPostId('a'), '/b', undefined],
  ['no address', 'https://paper.example/a', 'b', undefined],
  ['another scheme', 'https://paper.example/a', 'javascript:alert(1)', undefined],
])('a post is named by %s', (_, url, post, expected) => {
  const addresses = new AddressReader();
  const page = addresses.page(url)!;
  const rows = parseLists([{ ...NAMES, seen: [[1, post, 'words']] }], (text) => addresses.resolve(page, text)?.url)!;
  expect(rows[0]!.items.map((item) => item.post)).toEqual(expected === undefined ? [] : [expected]);
});

test('names that pages give to lists have no NUL, as parameters have none', () => {
  const report = { ...NAMES, slot: 'e\0nd', experiment: '\0', variant: 'b\0' };
  expect(parseLists([report], () => undefined)).toMatchObject([{ slot: 'end', experiment: '', variant: 'b' }]);
});

const anItem = fc.tuple(
  fc.integer({ min: 1, max: LEDGER_LIMITS.position }),
  fc.webPath().map((path) => `https://paper.example${path}`),
  fc.constantFrom(...ITEM_SOURCES),
  fc.integer({ min: 0, max: LEDGER_LIMITS.alternative }),
);
const aReport = fc.record({
  ...{ list: fc.string(), slot: fc.string(), layout: fc.string(), experiment: fc.string(), variant: fc.string() },
  shown: fc.boolean(),
  shift: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  errors: fc.option(fc.integer({ min: 0, max: LEDGER_LIMITS.errors }), { nil: undefined }),
  ...{ seen: fc.array(anItem, { maxLength: 5 }), clicked: fc.array(anItem, { maxLength: 5 }) },
});

test('a row is read again from the report that is written of it', () => {
  fc.assert(
    fc.property(aReport, (report) => {
      const rows = parseLists([report], (post) => post)!;
      expect(parseLists(JSON.parse(JSON.stringify(rows.map(toListReport))), (post) => post)).toEqual(rows);
    }),
    { seed: 1, numRuns: 300 },
  );
});
