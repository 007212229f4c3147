// Phrases in the bytes of a post's words: numbers of several bytes end like numbers of one.
import { expect, test } from 'vitest';
import { Phrase } from '../../server/search/wordTally.ts';
import type { ForwardEntry } from '../../server/textindex/forwardIndex.ts';
import { LONGEST_VARINT, writeVarint } from '../../server/textindex/varints.ts';

/** A post as the forward index has it, with one whole tag. */
function entryOf(title: readonly number[], text: readonly number[]): ForwardEntry {
  const numbers = [title.length, 1, 0, ...title, 9, ...text];
  const page = new Uint8Array(numbers.length * LONGEST_VARINT);
  let end = 0;
  for (const number of numbers) end = writeVarint(page, end, number);
  return { page, start: 0, end };
}

/** Its last byte is that of the word 2. */
const LIKE_2 = 300;

test.each<[where: string, title: number[], text: number[], stands: boolean]>([
  ['in the title', [5, 2, 7], [6], true],
  ['in the text', [5], [6, 2, 7], true],
  ['in the text after a word that ends alike', [5], [LIKE_2, 7, 2, 7], true],
  ['neither in the title nor in the text', [2], [7], false],
  ['where a longer number ends like its first word', [LIKE_2, 7], [LIKE_2, 7], false],
  ['from the title into the tag', [5, 2], [7], false],
])('a phrase %s', (_, title, text, stands) => {
  expect(new Phrase([2, 7]).standsIn(entryOf(title, text))).toBe(stands);
});
