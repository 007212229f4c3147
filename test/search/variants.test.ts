// Words that posts write in several ways, whichever of them is typed.
import { describe, expect, test } from 'vitest';
import { post } from '../recommend/corpus.ts';
import { ask, open } from './openSearch.ts';

/** Ordinary prose: in one post of five "may be", "not able" and "a way" stand side by side. */
const FILLER = Array.from({ length: 20 }, (_, n) =>
  post(`filler ${n}`, {
    title: `Ordinary ${n}`,
    fullContent: `To be able is not all. They may go, each a new way. ${n % 5 === 0 ? 'It may be a way. Not able.' : ''}`,
  }),
);

const { searchIndex } = open([
  ...FILLER,
  post('e-mail', { title: 'Why your e-mail is slow', fullContent: 'It travels far.' }),
  post('email', { title: 'Ten email tips', fullContent: 'For everybody, away or not.' }),
  post('web site', { title: 'A web site of its own', fullContent: 'Built by hand.' }),
  post('website', { title: 'A website', fullContent: 'Built by hand.' }),
  post('U.S.', { title: 'The U.S. Treasury', fullContent: 'Said so.' }),
  post('US', { title: 'The US Treasury', fullContent: 'Said so.' }),
  post('D.C.', { title: 'Washington, D.C.', fullContent: 'On a map.' }),
  post('DC', { title: 'Washington DC', fullContent: 'On a map.' }),
  post('I’d', { title: 'What I’d say', fullContent: 'I’d say nothing.' }),
  post('ID', { title: 'Your ID', fullContent: 'Is a number.' }),
  post('15000', { title: 'A fine of 15000 euros', fullContent: 'Was paid.' }),
  post('15,000', { title: 'A fine of $15,000', fullContent: 'Was paid.' }),
  post('15.000', { title: 'Eine Strafe von 15.000 Euro', fullContent: 'Bezahlt.' }),
  post('15 000', { title: 'Une amende de 15\u202f000 euros', fullContent: 'Payée.' }),
  post('1.5', { title: 'About 1.5 degrees', fullContent: 'Warmer.' }),
  post('15', { title: 'About 15 degrees', fullContent: 'Warmer.' }),
  post('million', { title: 'A crowd of 1,000,000', fullContent: 'In 1000000 coats.' }),
  post('1,200,000', { title: 'A crowd of 1,200,000', fullContent: 'Marched.' }),
  post('1 200 000', { title: 'Une foule de 1\u00a0200\u00a0000', fullContent: 'A défilé.' }),
  post('1200000', { title: 'A crowd of 1200000', fullContent: 'Marched.' }),
  post('Ph.D.', { title: 'A Ph.D. in law', fullContent: 'Took years.' }),
  post('PhD', { title: 'A PhD in law', fullContent: 'Took years.' }),
  post('PhDs', { title: 'Too many PhDs', fullContent: 'Of law.' }),
  post('obrien', { title: 'Dara OBrien', fullContent: 'On stage.' }),
  post('o’brien', { title: 'Dara O’Brien', fullContent: 'On stage.' }),
  post('maybe', { title: 'Maybe tomorrow', fullContent: 'Notable.' }),
]);
const found = (query: string) => ask(searchIndex, { query }).sort();
const FINES = ['15 000', '15,000', '15.000', '15000'];
const CROWDS = ['1 200 000', '1,200,000', '1200000'];
const DOCTORS = ['Ph.D.', 'PhD', 'PhDs'];

test.each<[string, string[]]>([
  ['email', ['e-mail', 'email']],
  ['emails', ['e-mail', 'email']],
  ['e-mail', ['e-mail', 'email']],
  ['website', ['web site', 'website']],
  ['web site', ['web site', 'website']],
  ['US Treasury', ['U.S.', 'US']],
  ['us treasury', ['U.S.', 'US']],
  ['U.S. Treasury', ['U.S.', 'US']],
  ['u.s treasury', ['U.S.', 'US']],
  ['washington d.c.', ['D.C.', 'DC']],
  ['DC', ['D.C.', 'DC']],
  ['15000', FINES],
  ['15,000', FINES],
  ['15.000', FINES],
  ['15 000', FINES],
  ['15’000', FINES],
  ['1000000', ['million']],
  ['1,000,000', ['million']],
  ['1200000', CROWDS],
  ['1,200,000', CROWDS],
  ['1.200.000', CROWDS],
  ['1 200 000', CROWDS],
  ['crowd 1 200 000', ['1,200,000', '1200000']],
  ['PhD', DOCTORS],
  ['phds', DOCTORS],
  ['Ph.D.', DOCTORS],
  ['Ph.D. in law', DOCTORS.slice(0, 2)],
  ['obrien', ['obrien', 'o’brien']],
  ["o'brien", ['obrien', 'o’brien']],
])('a variant is as good as what was typed: %s', (query, expected) => {
  expect(found(query)).toEqual([...expected].sort());
});

test.each<[string, string[]]>([
  ['maybe', ['maybe']],
  ['notable', ['maybe']],
  ['ID', ['ID']],
  ['1.5', ['1.5']],
  ['away tips', ['email']],
])('words that stand side by side for other reasons are no variant: %s', (query, expected) => {
  expect(found(query)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['"e-mail"', ['e-mail']],
  ['"email"', ['email']],
  ['"15,000"', ['15 000', '15,000', '15.000']],
  ['"15000"', ['15000']],
])('in quotes it is what was typed: %s', (query, expected) => {
  expect(found(query)).toEqual([...expected].sort());
});

describe('several variants in one question', () => {
  const mixed = open([
    ...FILLER,
    post('1', { title: 'The U.S. email rules', fullContent: 'A web site has 15,000 of them.' }),
    post('2', { title: 'The US e-mail rules', fullContent: 'A website has 15000 of them.' }),
    post('3', { title: 'The US email rules', fullContent: 'A website has 15000 of them.' }),
  ]).searchIndex;

  test.each(['US email', 'u.s. e-mail', 'us website email', 'website 15000 e-mail'])(
    'are found in every combination: %s',
    (query) => {
      expect(ask(mixed, { query }).sort()).toEqual(['1', '2', '3']);
    },
  );

  test('are each found once, and pages are parts of the whole', () => {
    const all = ask(mixed, { query: 'US email' });
    expect([1, 2, 3, 4].flatMap((page) => ask(mixed, { query: 'US email', limit: 1, page }))).toEqual(all);
  });
});

test('what has the acronym comes before what has the word of the same letters', () => {
  const posts = [
    post('treaty', { title: 'A treaty', fullContent: 'The U.S. signed it. So did the U.S. Senate.' }),
    ...Array.from({ length: 30 }, (_, n) =>
      post(`us ${n}`, { title: `About us ${n}`, fullContent: 'Write to us. Tell us. Follow us.' }),
    ),
  ];
  expect(ask(open([...FILLER, ...posts]).searchIndex, { query: 'US' })[0]).toBe('treaty');
});
