// Pins of editors in the order of a recommendation.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recommend } from '../../server/recommend/recommend.ts';
import type { PinnedPost } from '../../server/recommend/request.ts';
import { ask, at, DAY, indexOf, NOW, names, post, request } from './corpus.ts';

const TEXTS = [
  'ferry harbour island',
  'ferry harbour ticket',
  'ferry island boat',
  'bread oven flour',
  'chess rook pawn',
];
/** Posts a to e, of which b and c are related to a. */
const index = indexOf(
  TEXTS.map((title, place) =>
    post('abcde'[place]!, { title, section: place < 3 ? 'Travel' : 'Home', pubDate: NOW - place * DAY }),
  ),
);
const pin = (name: string, position = 1): PinnedPost => ({ url: at(name), position });

describe('below a page, a pin', () => {
  const below = { url: at('a'), filters: {} };
  const plain = ask(index, below);

  test.each<[string, PinnedPost[], string[]]>([
    ['stands at its position', [pin('e', 2)], [plain[0]!, 'e', ...plain.slice(1)]],
    ['moves a post that is related anyway', [pin(plain[1]!)], [plain[1]!, plain[0]!, ...plain.slice(2)]],
    ['of an occupied position stands behind the first', [pin('e'), pin('d')], ['e', 'd', ...plain]],
    ['behind the last post follows it', [pin('e', 9)], [...plain, 'e']],
    ['counts once', [pin('e'), pin('e', 2)], ['e', ...plain]],
    ['of the page itself does not stand on it', [pin('a')], plain],
    ['of a post that is not known is left out', [pin('zzz')], plain],
  ])('%s', (_, pins, expected) => {
    expect(ask(index, { ...below, pins })).toEqual(expected);
  });

  test('is left out where the filters, an exclusion or what was read leave it out', () => {
    const pins = [pin('e')];
    expect(ask(index, { ...below, pins, filters: { sections: ['Travel'] } })).toEqual(plain);
    expect(ask(index, { ...below, pins, excluded: new Set([at('e')]) })).toEqual(plain);
    expect(ask(index, { ...below, pins, visits: [{ url: at('e'), time: NOW }] })).not.toContain('e');
    const later = [...TEXTS, 'later'].map((title, place) =>
      post('abcdef'[place]!, { title, pubDate: NOW + (place === 5 ? 1 : -DAY) }),
    );
    expect(ask(indexOf(later), { ...below, pins: [pin('f')] })).not.toContain('f');
  });

  test('has the source of an editor and no score, and the others keep theirs', () => {
    const found = recommend(index, request({ ...below, pins: [pin('e')] }), NOW);
    expect(found[0]).toEqual({ url: at('e'), score: 0, source: 'editor' });
    expect(found.slice(1)).toEqual(recommend(index, request(below), NOW));
  });

  test('stands where nothing is related, on whichever page of the answer its position is', () => {
    expect(ask(index, { url: at('d'), pins: [pin('e')] })).toEqual(['e']);
    expect(ask(index, { ...below, pins: [pin('e', 2)], limit: 1, page: 2 })).toEqual(['e']);
    expect(ask(index, { url: at('d'), respectEmpty: false, pins: [pin('e', 3)] })).toEqual(['a', 'b', 'e', 'c']);
  });
});

test('a copy of a pinned post is left out, above it and below it', () => {
  const long = Array.from({ length: 60 }, (_, word) => `word${word}`).join(' ');
  const copies = indexOf([
    post('page', { title: 'word1 word2 word3', fullContent: long.slice(0, 120) }),
    post('one', { title: 'The report', fullContent: long }),
    post('two', { title: 'The report', fullContent: long }),
  ]);
  expect(ask(copies, { url: at('page'), respectEmpty: false, pins: [pin('two', 2)] })).toEqual(['two']);
});

test('pins hold their positions, no post stands twice, and the list is as long as without them or longer', () => {
  const letters = [...'abcdefghijklmnop'];
  const site = indexOf(
    letters.map((name, place) => post(name, { title: TEXTS[place % 5]!, pubDate: NOW - place * DAY })),
  );
  const pins = fc.array(
    fc.record({ name: fc.constantFrom(...letters, 'unknown'), position: fc.integer({ min: 1, max: 10 }) }),
    { maxLength: 6 },
  );
  const question = fc.record({
    page: fc.option(fc.constantFrom(...letters), { nil: undefined }),
    hidden: fc.subarray(letters, { maxLength: 4 }),
    read: fc.subarray(letters, { maxLength: 3 }),
    diversity: fc.constantFrom(0, 1),
    limit: fc.integer({ min: 1, max: 12 }),
    pins,
  });
  fc.assert(
    fc.property(question, ({ page, hidden, read, diversity, limit, pins: wished }) => {
      const asked = {
        ...(page !== undefined && { url: at(page) }),
        excluded: new Set(hidden.map(at)),
        visits: read.map((name) => ({ url: at(name), time: NOW - DAY })),
        dials: { diversity },
        respectEmpty: false,
        limit,
      };
      const found = names(
        recommend(site, request({ ...asked, pins: wished.map(({ name, position }) => pin(name, position)) }), NOW),
      );
      const never = new Set([...hidden, ...read, page, 'unknown']);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((name) => never.has(name))).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, ask(site, asked).length));
      const known = new Set<string>();
      const shown = wished
        .filter(({ name }) => !never.has(name) && !known.has(name) && known.add(name))
        .sort((one, other) => one.position - other.position);
      let last = 0;
      for (const { name, position } of shown) {
        last = Math.max(position, last + 1);
        const place = found.indexOf(name);
        if (place === last - 1 || (place < 0 && last > limit)) continue;
        expect(place).toBeGreaterThanOrEqual(0);
        // The ranking ends before it.
        expect(place).toBeLessThan(last - 1);
        for (const other of found.slice(place)) expect(shown.map((one) => one.name)).toContain(other);
      }
    }),
  );
});
