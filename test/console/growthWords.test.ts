// What the console says of the growth of a post: it is compared by ages that it has reached, not by one that runs.
import { expect, test } from 'vitest';
import type { GrowthRecord } from '../../server/contract/wire.ts';
import { ageOf, sentenceOf, verdictOf } from '../../widget/console/post/growthWords.ts';

const row = (unit: GrowthRecord['unit'], age: number, views: number, of: Partial<GrowthRecord> = {}): GrowthRecord => ({
  ...{ unit, age, views, until: '2040-03-20T12:00:00+01:00', partial: false },
  typical: { posts: 8, low: 10 * age, median: 20 * age, high: 30 * age },
  ...of,
});
const partial = { partial: true };

test.each<[what: string, rows: GrowthRecord[], verdict: string]>([
  ['in its first hour', [row('hour', 1, 4, partial)], 'It is not an hour old: nothing is compared yet.'],
  [
    'a minute after its second hour',
    [row('hour', 1, 20), row('hour', 2, 40), row('hour', 3, 29, partial)],
    'As usual for 8 posts of its section after 2 hours.',
  ],
  [
    'that is read less',
    [row('hour', 1, 9), row('hour', 2, 90, partial)],
    'Less than three quarters of 8 posts of its section had after an hour.',
  ],
  [
    'that is read more, of which no part of a day is left',
    [row('hour', 48, 400), row('day', 3, 91)],
    'More than three quarters of 8 posts of its section had by the end of day 3.',
  ],
  [
    'with few others',
    [row('hour', 1, 9, { typical: null }), row('hour', 2, 9, { ...partial, typical: null })],
    'Too few posts of its section are as old: nothing is typical yet.',
  ],
  [
    'with few others in its first hour',
    [row('hour', 1, 9, { ...partial, typical: null })],
    'Too few posts of its section are as old: nothing is typical yet.',
  ],
])('of a post %s', (_, rows, verdict) => {
  expect(verdictOf(rows, 'its section')).toBe(verdict);
});

test('an age that runs is said to be of so far', () => {
  expect(ageOf(row('hour', 1, 1))).toBe('After an hour');
  expect(ageOf(row('day', 3, 1, partial))).toBe('By the end of day 3, so far');
});

test('one view is no views', () => {
  expect(sentenceOf(row('hour', 1, 1, { typical: null }))).toBe('After an hour: 1 view');
  expect(sentenceOf(row('hour', 2, 0, { typical: null }))).toBe('After 2 hours: 0 views');
});
