// What is taken of the metadata of a view: field by field, and nothing that is no text, no list, no picture, no date of the past.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEventMetadata } from '../../server/posts/parseEventMetadata.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const published = Date.parse('2026-01-02T03:04:05Z');
const ofDate = (pub_date_tmsp: unknown) => parseEventMetadata({ title: 'A', pub_date_tmsp }, now)?.pubDate;

test.each([
  [published, published],
  [published / 1000, published],
  [String(published), published],
  [String(published / 1000), published],
  ['2026-01-02T03:04:05Z', published],
  ['2026-01-02T04:04:05+01:00', published],
  [now, now],
  [now + 1, undefined],
  [now / 1000 + 1, undefined],
  ['2027-01-01T00:00:00Z', undefined],
  [0, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [1e300, undefined],
  ['soon', undefined],
  [{}, undefined],
])('pub_date_tmsp %s is %s', (said, time) => expect(ofDate(said)).toBe(time));

test('lists come as lists, tags also as a text with commas, one author as a text', () => {
  const said = { title: ' A ', author: 'Ann', tags: 'a, b,,c ', pub_date: published };
  expect(parseEventMetadata(said, now)).toEqual({
    pageType: 'post',
    title: 'A',
    authors: ['Ann'],
    tags: ['a', 'b', 'c'],
    pubDate: published,
  });
  expect(parseEventMetadata({ title: 'A', tags: '経済、政治' }, now)?.tags).toEqual(['経済', '政治']);
  expect(parseEventMetadata({ title: 'A', authors: 'Ann, Bob' }, now)).toEqual({ pageType: 'post', title: 'A' });
});

test('whatever is sent, a post is said in bounded texts, or nothing is', () => {
  const field = fc.constantFrom(
    'title',
    'section',
    'authors',
    'author',
    'tags',
    'image_url',
    'pub_date_tmsp',
    'page_type',
    '__proto__',
  );
  fc.assert(
    fc.property(fc.dictionary(field, fc.jsonValue()), (sent) => {
      const patch = parseEventMetadata(JSON.parse(JSON.stringify(sent)), now);
      if (patch === undefined) return;
      expect(patch.pageType).toBe('post');
      expect(patch.title).toMatch(/\S/);
      for (const name of [...(patch.authors ?? []), ...(patch.tags ?? [])])
        expect(name.length).toBeLessThanOrEqual(500);
    }),
    { numRuns: 200 },
  );
});
