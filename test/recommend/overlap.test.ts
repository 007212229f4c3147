// What is reckoned in quick ways is what the slow way says: term by term, each looked up by itself.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areAlike } from '../../server/recommend/nearCopies.ts';
import { vectorOfPost } from '../../server/recommend/queryVector.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { TermReader, wantedWords } from '../../server/textindex/termReader.ts';
import { at, indexOf, post } from './corpus.ts';

const POSTS = 12;
/** Words of one byte in a forward index entry, of two and of three. */
const VOCABULARY = Array.from({ length: 17_000 }, (_, number) => `w${number}`);
const SOME_WORDS = [...VOCABULARY.slice(0, 12), ...VOCABULARY.slice(200, 212), ...VOCABULARY.slice(-12)];

const words = (most: number) =>
  fc.array(fc.constantFrom(...SOME_WORDS), { minLength: 1, maxLength: most }).map((all) => all.join(' '));

const site = fc
  .array(fc.record({ title: words(6), fullContent: words(60), tags: fc.subarray(['a', 'b']) }), {
    minLength: POSTS,
    maxLength: POSTS,
  })
  .map((all) => {
    const first = post('vocabulary', { fullContent: VOCABULARY.slice(0, 9000).join(' ') });
    const second = post('more', { fullContent: VOCABULARY.slice(9000).join(' ') });
    return indexOf([first, second, ...all.map((one, number) => post(String(number), one))]);
  });

const numberOf = (index: PostIndex, name: number) => index.catalogue.find(at(String(name)));

/** What each term of a post says, √frequency × rarity. */
function termsOf(index: PostIndex, number: number): Map<number, number> {
  const { terms, frequencies, count } = new TermReader().read(index.post(number));
  const weight = (i: number) => Math.sqrt(frequencies[i]!) * index.statistics.rarityOf(terms[i]!);
  return new Map(Array.from({ length: count }, (_, i) => [terms[i]!, weight(i)]));
}

function cosine(index: PostIndex, one: number, other: number): number {
  const theirs = termsOf(index, other);
  let sum = 0;
  for (const [term, weight] of termsOf(index, one)) sum += weight * (theirs.get(term) ?? 0);
  return sum / (index.catalogue.norms[one]! * index.catalogue.norms[other]!);
}

test('a post being asked from is as close to another as all their terms say', () => {
  fc.assert(
    fc.property(site, (index) => {
      const asked = numberOf(index, 0);
      const workspace = new Workspace();
      vectorOfPost(index, workspace, { post: asked, most: 400 });
      for (let name = 1; name < POSTS; name++) {
        const other = numberOf(index, name);
        expect(workspace.overlap.cosine(other)).toBeCloseTo(cosine(index, asked, other), 5);
      }
    }),
    { numRuns: 20 },
  );
});

test('two others are alike where all their terms say so', () => {
  fc.assert(
    fc.property(site, (index) => {
      const workspace = new Workspace();
      vectorOfPost(index, workspace, { post: numberOf(index, 0), most: 400 });
      for (let name = 1; name < POSTS - 1; name++) {
        const [a, b] = [numberOf(index, name), numberOf(index, name + 1)];
        const close = cosine(index, a, b);
        expect(areAlike(index, workspace, { a, b, least: close - 1e-4 })).toBe(true);
        expect(areAlike(index, workspace, { a, b, least: close + 1e-4 })).toBe(false);
      }
    }),
    { numRuns: 20 },
  );
});

test('the words of a title are found in other posts, each counted once', () => {
  fc.assert(
    fc.property(site, (index) => {
      const reader = new TermReader();
      const title = [...reader.titleNumbers(index.post(numberOf(index, 0)))];
      const wanted = wantedWords(title, (word) => word + 1, new Workspace().marks);
      for (let name = 1; name < POSTS; name++) {
        const place = index.post(numberOf(index, name));
        const theirs = wordsOf(place);
        const said = title.reduce((sum, word) => sum + (theirs.has(word) ? word + 1 : 0), 0);
        expect(reader.rarityFound(wanted, place)).toBe(said);
      }
    }),
    { numRuns: 20 },
  );
});

/** Numbers of a forward index entry's words, tags and lead, read one after another. */
function wordsOf({ page, start, end }: { page: Uint8Array; start: number; end: number }): Set<number> {
  const numbers: number[] = [];
  for (let at = start; at < end; ) {
    let number = 0;
    let shift = 0;
    for (; page[at]! > 127; at++, shift += 7) number |= (page[at]! & 127) << shift;
    numbers.push(number | (page[at++]! << shift));
  }
  const [inTitle, phrases, inLead, ...all] = numbers;
  return new Set(all.slice(0, inTitle! + phrases! + inLead!));
}
