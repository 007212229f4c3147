// Posts on their way between threads arrive as they were sent, however many there are and whatever they are made of.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ForwardPageWriter, readForwardPage } from '../../server/siteIndex/forwardPages.ts';
import { TokenPageWriter, tokenizedPostAt } from '../../server/siteIndex/tokenPages.ts';

const numbers = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength }).map((list) => Uint32Array.from(list));

const digested = fc.record({
  post: fc.nat(),
  // None is shorter: three counts stand at its beginning.
  entry: fc.option(fc.uint8Array({ minLength: 3, maxLength: 40 })),
  names: fc.array(numbers(5), { maxLength: 4 }),
});

test('forwardIndex, and the names of their posts', () => {
  const writer = new ForwardPageWriter();
  fc.assert(
    fc.property(fc.array(digested), (posts) => {
      for (const { post, entry, names } of posts) {
        const place = entry ? { page: Uint8Array.of(7, ...entry, 7), start: 1, end: entry.length + 1 } : undefined;
        writer.add(post, place, names);
      }
      const arrived = [...readForwardPage(writer.take())].map(({ entry, ...rest }) => ({
        ...rest,
        entry: entry ? entry.page.slice(entry.start, entry.end) : null,
      }));
      expect(arrived).toEqual(posts);
    }),
  );
});

const spelled = fc.record({
  inTitle: fc.nat({ max: 1000 }),
  phrases: fc.nat({ max: 1000 }),
  inLead: fc.nat({ max: 1000 }),
  words: numbers(60),
});

test('words as they were read', () => {
  const writer = new TokenPageWriter();
  fc.assert(
    fc.property(fc.array(spelled), (posts) => {
      for (const post of posts) writer.add(post);
      const page = writer.take();
      expect(posts.map((_, place) => tokenizedPostAt(page, place))).toEqual(posts);
    }),
  );
});

test('more than there was room for', () => {
  const large = { inTitle: 0, phrases: 0, inLead: 1, words: new Uint32Array(1 << 19).map((_, i) => i) };
  const words = new TokenPageWriter();
  words.add(large);
  expect(Buffer.from(tokenizedPostAt(words.take(), 0).words).equals(Buffer.from(large.words))).toBe(true);
  const forwardIndex = new ForwardPageWriter();
  const page = new Uint8Array(3 << 20).map((_, i) => i);
  forwardIndex.add(1, { page, start: 0, end: page.length }, []);
  const [arrived] = readForwardPage(forwardIndex.take());
  expect(Buffer.from(arrived!.entry!.page).equals(page)).toBe(true);
});
