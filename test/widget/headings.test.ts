// Default headings of lists: which language a tag of a page means.
import { expect, it } from 'vitest';
import { headingIn, LATIN } from '../../server/contract/headings.ts';
import { OTHERS } from '../../server/contract/scripts.ts';

const ALL = { ...LATIN, ...OTHERS };

it.each([
  ['pt-BR', 'Mais lidas'],
  ['nb-NO', 'Mest lest'],
  ['no', 'Mest lest'],
  ['nn', 'Mest lese'],
  ['id', 'Terpopuler'],
  // Old codes, which systems in Java wrote for long.
  ['in-ID', 'Terpopuler'],
  ['iw', ALL.he!.split(';')[1]],
  ['zh-HK', ALL.hant!.split(';')[1]],
  ['zh-Hans', ALL.zh!.split(';')[1]],
  ['eo', undefined],
])('the ranking of a page in %s is called %s', (language, heading) => {
  expect(headingIn(ALL, language, 'top')).toBe(heading);
});
