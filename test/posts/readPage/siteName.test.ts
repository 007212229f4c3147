// The site's name at the ends of titles.
import { expect, test } from 'vitest';
import { withoutSiteName } from '../../../server/posts/readPage/siteName.ts';

test.each([
  ['Ferries return - The Quay', 'Ferries return'],
  ['Ferries return | THE QUAY', 'Ferries return'],
  ['Ferries – and boats – The Quay', 'Ferries – and boats'],
  ['The Quay | Ferries return', 'Ferries return'],
  ['渡轮回来了_The Quay', '渡轮回来了'],
  ['渡轮回来了｜The Quay', '渡轮回来了'],
  ['The Quay: what is new', 'The Quay: what is new'],
  ['A walk along the quay', 'A walk along the quay'],
  ['Walk-the quay', 'Walk-the quay'],
  ['The Quay', 'The Quay'],
  ['- The Quay', '- The Quay'],
  ['Letters to - The Quay', 'Letters to - The Quay'],
])('%j is %j', (title, wanted) => {
  expect(withoutSiteName(title, { names: ['The Quay'], headings: ['Letters to - The Quay'] })).toBe(wanted);
});
