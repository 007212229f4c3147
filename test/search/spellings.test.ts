// Words that are typed in another way than posts have them.
import { describe, expect, test } from 'vitest';
import { at, post } from '../recommend/corpus.ts';
import { ask, open } from './openSearch.ts';

describe('a word that no post has', () => {
  const { index, searchIndex } = open([
    post('0', { title: 'Müller in Århus', fullContent: 'An ordinary bakery in a city.' }),
    post('1', { title: 'Mueller report', fullContent: 'Of the counsel.' }),
    post('2', { title: 'Living with Covid-19', fullContent: 'Nineteen months of it.' }),
    post('3', { title: 'Flight A380 and the Saarland', fullContent: 'Over Köln.' }),
    post('5', { title: 'Don’t panic', fullContent: "You’re right: it isn't late." }),
  ]);

  test.each([
    ['Mueller', ['1']],
    ['müller', ['0']],
    ['Aarhus', ['0']],
    ['koeln', ['3']],
    ['covid19', ['2']],
    ['covid19 living', ['2']],
    ['A380', ['3']],
    ['Sårland', ['3']],
    ['dont panic', ['5']],
    ['it isnt', ['5']],
    ['youre', ['5']],
    ['"koeln"', []],
    ['quoeueln', []],
  ])('is looked for in its other spellings: %s', (query, found) => {
    expect(ask(searchIndex, { query })).toEqual(found);
  });

  test('is none that some post had', () => {
    index.put(post('4', { title: 'Koeln', fullContent: 'Once.' }));
    expect(ask(searchIndex, { query: 'koeln' })).toEqual(['4']);
    index.remove(at('4'));
    expect(ask(searchIndex, { query: 'koeln' })).toEqual(['3']);
  });
});

describe('words that are written in another way', () => {
  const { searchIndex } = open([
    post('mail', { title: 'Why your e-mail is slow', fullContent: 'An e-mail travels far. Ask Conan O’Brien.' }),
    post('email', { title: 'Ten email tips', fullContent: 'Of the government, and of its accessibility team.' }),
    post('site', { title: 'A website of open source', fullContent: 'By a compiler, in 2021. A notable house.' }),
    post('open', { title: 'Open house', fullContent: 'The source of it is not able to speak. Клавиатура.' }),
    post('fa', { title: 'می‌خواهم زندگی کنم', fullContent: 'The horse Joey.' }),
  ]);
  const known = (query: string) => ask(searchIndex, { query }).sort();

  test.each([
    ['e-mail', ['email', 'mail']],
    ['e‑mail', ['email', 'mail']],
    ['e-mail tips', ['email']],
    ['web site', ['site']],
    ['"e-mail"', ['mail']],
    ['web "site"', []],
  ])('apart, and as one by other posts: %s', (query, found) => {
    expect(known(query)).toEqual(found);
  });

  test('apart are found as such, too, and first', () => {
    expect(ask(searchIndex, { query: 'not able' })).toEqual(['open', 'site']);
    expect(known('a house')).toEqual(['site']);
  });

  test.each([
    ['opensource', ['site']],
    ['obrien', ['mail']],
    ['میخواهم', ['fa']],
    ['"opensource"', []],
    ['openhorse', []],
  ])('as one, and apart by posts: %s', (query, found) => {
    expect(known(query)).toEqual(found);
  });

  test.each([
    ['goverment', ['email']],
    ['accessiblity goverment', ['email']],
    ['complier', ['site']],
    ['Соmpiler', []],
    ['клавитура', ['open']],
    ['housse', ['open', 'site']],
    ['"goverment"', []],
    ['zoey', []],
    ['20221', []],
    ['gvoermnent', []],
  ])('with one slip of a finger: %s', (query, found) => {
    expect(known(query)).toEqual(found);
  });
});

test('words that most posts have are not looked for as parts of one, and a text without spaces is no word', () => {
  const long = `${'harbour'.repeat(6)}night`;
  const { searchIndex } = open([
    ...Array.from({ length: 120 }, (_, n) =>
      post(`${n}`, { title: `Post ${n}`, fullContent: 'Lights of the harbour.' }),
    ),
    post('long', { title: 'A long one', fullContent: `${'harbour'.repeat(6)} night` }),
  ]);
  expect(ask(searchIndex, { query: 'ofthe' })).toEqual([]);
  expect(ask(searchIndex, { query: 'along' })).toEqual(['long']);
  expect(ask(searchIndex, { query: long })).toEqual([]);
});
