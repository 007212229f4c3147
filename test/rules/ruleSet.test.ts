// What a set of rules of editors has to be, and which of its rules apply to a list.
import { describe, expect, test } from 'vitest';
import { InputError } from '../../server/inputError.ts';
import { putSet, type RuleInput, type RuleSet, type RuleSetInput } from '../../server/rules/ruleSet.ts';
import { appliedRules, rulesAt, setFor, toRuleSetRecord } from '../../server/rules/rulesInForce.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const URL_A = 'https://paper.example/a';
const PIN: RuleInput = { pin: URL_A };

const setOf = (rules: readonly RuleInput[]): RuleSet => putSet([], { name: 'one', rules })[0]!;

describe('is refused', () => {
  test.each<[string, Partial<RuleSetInput>, string, string]>([
    ['a name in capitals', { name: 'Front' }, 'name', '"Front" is no name'],
    ['the name none', { name: 'none' }, 'name', '"none" is no name'],
    [
      'a rule that pins and hides',
      { rules: [{ ...PIN, hide: { tag: 'x' } }] },
      'rules.0',
      'either pins a post or hides',
    ],
    ['a rule that does neither', { rules: [PIN, {}] }, 'rules.1', 'Rule 2 either pins a post or hides'],
    ['position 0', { rules: [{ ...PIN, position: 0 }] }, 'rules.0.position', 'from 1 to 10, not 0'],
    ['position 11', { rules: [{ ...PIN, position: 11 }] }, 'rules.0.position', 'from 1 to 10, not 11'],
    [
      'a position of what is hidden',
      { rules: [{ hide: { tag: 'x' }, position: 2 }] },
      'rules.0.position',
      'no position',
    ],
    ['two things to hide', { rules: [{ hide: { tag: 'x', author: 'Ann' } }] }, 'rules.0.hide', 'this says 2 of them'],
    ['nothing to hide', { rules: [{ hide: {} }] }, 'rules.0.hide', 'this says 0 of them'],
    [
      'an end before the begin',
      { rules: [{ ...PIN, from: NOW, until: NOW }] },
      'rules.0.until',
      'ends before it begins',
    ],
    ['a 51st rule', { rules: Array.from({ length: 51 }, () => PIN) }, 'rules', 'at most 50 rules; this has 51'],
  ])('%s', (_, input, field, sentence) => {
    const put = () => putSet([], { name: 'one', rules: [PIN], ...input });
    expect(put).toThrow(InputError);
    expect(put).toThrow(expect.objectContaining({ field, message: expect.stringContaining(sentence) }));
  });

  test('a 21st set', () => {
    const sets = Array.from({ length: 20 }, (_, at) => ({ name: `set-${at}`, always: false, rules: [] }));
    expect(() => putSet(sets, { name: 'another', rules: [PIN] })).toThrow('at most 20 rule sets');
    expect(putSet(sets, { name: 'set-3', rules: [PIN] })).toHaveLength(20);
  });
});

test('a set takes the place of the one of its name, and a second one that always applies is refused', () => {
  const first = putSet([], { name: 'b', always: true, rules: [PIN] });
  expect(() => putSet(first, { name: 'a', always: true, rules: [] })).toThrow(
    expect.objectContaining({ field: 'always', message: expect.stringContaining('write b without always first') }),
  );
  const both = putSet(putSet(first, { name: 'b', rules: [PIN] }), { name: 'a', always: true, rules: [] });
  expect(both.map(({ name, always }) => [name, always])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(putSet(both, { name: 'a', rules: [PIN] }).map(({ always }) => always)).toEqual([false, false]);
});

test('the set of a list is the named one, else the one that always applies, and none for a name that is unknown', () => {
  const sets = putSet(putSet([], { name: 'a', rules: [] }), { name: 'b', always: true, rules: [] });
  expect(setFor(sets)?.name).toBe('b');
  expect(setFor(sets, 'a')?.name).toBe('a');
  expect(setFor(sets, 'none')).toBeUndefined();
  expect(setFor(sets, 'gone')).toBeUndefined();
  expect(setFor(undefined)).toBeUndefined();
});

test('a rule waits for its begin, is in force up to its end, and is over from then on', () => {
  const set = setOf([{ ...PIN, from: NOW, until: NOW + HOUR }]);
  const states = [NOW - 1, NOW, NOW + HOUR - 1, NOW + HOUR].map((at) => [
    toRuleSetRecord(set, at).rules[0]?.state,
    rulesAt(set, at).length,
  ]);
  expect(states).toEqual([
    ['waiting', 0],
    ['in force', 1],
    ['in force', 1],
    ['over', 0],
  ]);
});

test('a rule for a section or a tag applies to the pages that have it, and to no page that is not known', () => {
  const { rules } = setOf([
    { ...PIN, position: 2, onSection: 'World' },
    { hide: { url: URL_A }, onTag: 'x' },
    { hide: { author: 'Ann' } },
  ]);
  const hidden = { meta: 'authors', value: 'Ann' };
  const pins = [{ url: URL_A, position: 2 }];
  expect(appliedRules({ section: 'World', tags: [] }, rules)).toEqual({ pins, hidden: [], exclude: [hidden] });
  expect(appliedRules({ section: 'world', tags: ['x'] }, rules)).toEqual({
    pins: [],
    hidden: [URL_A],
    exclude: [hidden],
  });
  expect(appliedRules(undefined, rules)).toEqual({ pins: [], hidden: [], exclude: [hidden] });
});
