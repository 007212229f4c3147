// What the preview gives to copy, choice by choice; and that a link to a choice means the same choice.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersOf, OPTIONS } from '../../widget/preview/options.ts';
import { type Choice, toPinnedTag, toSampleQuery, toSlot, toStyle, toTag } from '../../widget/preview/snippet.ts';
import { readState, writeState } from '../../widget/preview/state.ts';

const SERVER = 'https://stats.example';
const choice = (change: Partial<Choice> = {}): Choice => ({
  site: 'paper.example',
  kind: 'related',
  values: {},
  accent: '',
  radius: '',
  css: '',
  page: '',
  ...change,
});

test('what has its default is not written', () => {
  expect(toTag(choice(), SERVER)).toBe(
    '<script async src="https://stats.example/afterword.js" data-site="paper.example"></script>',
  );
  expect(toSlot(choice({ values: { layout: 'list', limit: '5', meta: 'section date' } }))).toBe(
    '<div data-afterword="related"></div>',
  );
  expect(toStyle(choice())).toBe('');
});

test('as long as no site is named, the tag names one that stands for it', () => {
  expect(toTag(choice({ site: '' }), SERVER)).toContain('data-site="example.com"');
});

test('each choice stands where it belongs: list, tag or style sheet', () => {
  const chosen = choice({ kind: 'top', values: { days: '7', consent: 'required', layout: 'grid' }, accent: '#b3261e' });
  expect(toSlot(chosen)).toBe('<div data-afterword="top" data-layout="grid" data-days="7"></div>');
  expect(toTag(chosen, SERVER)).toContain(' data-consent="required"></script>');
  expect(toStyle(chosen)).toBe(':root {\n  --afterword-accent: #b3261e;\n}');
});

test('what only the other kind has is left out', () => {
  expect(toSlot(choice({ kind: 'top', values: { exclude: 'tag:ads', sort: 'pub_date' } }))).toBe(
    '<div data-afterword="top"></div>',
  );
});

test('bars are between exclusions, and belong to the names of sections, authors and tags', () => {
  const values = { section: 'Arts | Culture', exclude: 'tag:ads|section:Opinion' };
  expect(filtersOf(choice({ values }))).toEqual([
    ['section', 'Arts | Culture'],
    ['exclude', 'tag:ads'],
    ['exclude', 'section:Opinion'],
  ]);
});

test('a pinned tag names the frozen file and its hash', () => {
  expect(toPinnedTag(choice(), SERVER, { file: '1.2.3/afterword.js', hash: 'sha384-abc' })).toBe(
    '<script async src="https://stats.example/1.2.3/afterword.js" integrity="sha384-abc" crossorigin="anonymous" data-site="paper.example"></script>',
  );
});

test('no text of a choice leaves its attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const slot = toSlot(choice({ values: { heading: text } }));
      expect(slot.slice('<div data-afterword="related"'.length, -'></div>'.length)).toMatch(
        /^(?: data-heading="[^"<]*")?$/,
      );
    }),
  );
});

test('a link to a choice opens the same choice', () => {
  const values = fc.dictionary(fc.constantFrom(...OPTIONS.map(({ name }) => name)), fc.string());
  fc.assert(
    fc.property(values, fc.string({ minLength: 1 }), fc.webUrl(), (said, site, post) => {
      const state = {
        ...choice({ site, values: said, accent: '#123456', radius: '8', css: 'https://a.example/site.css' }),
        post,
      };
      const read = readState(writeState(state), 'other.example');
      expect(toSlot(read)).toBe(toSlot(state));
      expect(toSampleQuery(read, { scheme: 'dark', post, place: 'sidebar' })).toBe(
        toSampleQuery(state, { scheme: 'dark', post, place: 'sidebar' }),
      );
      expect(read).toMatchObject({ site, post });
    }),
  );
});
