// What is usual, and what is expected of today, decide together: either alone would raise false alarms.
import { expect, test } from 'vitest';
import type { Curve } from '../../server/alarms/curve.ts';
import { judge, LOOK_MS } from '../../server/alarms/judge.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2030, 4, 17, 12);
/** Usual page views of a minute. */
const USUAL = 40;

const curve: Curve = {
  weeks: 8,
  between(start, end) {
    const median = (USUAL * (end - start)) / MINUTE;
    return { median, low: median * 0.8, high: median * 1.2 };
  },
};

/** @param before Views of each minute until the last ones. */
function found(before: number, lately: number, minutes: number) {
  const ages = Array.from({ length: LOOK_MS / MINUTE }, (_, age) => (age < minutes ? lately : before));
  return judge({ now: NOW, ages, lastView: NOW, knownSince: 0 }, curve, { minimum: 100, isSecond: false })?.kind;
}

test.each<[what: string, before: number, lately: number, minutes: number, kind: string | undefined]>([
  ['four times as many views as usual', USUAL, 4 * USUAL, 5, 'spike'],
  ['as many as are usual, after a day with a quarter of them', USUAL / 4, USUAL, 5, undefined],
  ['a tenth of the usual views', USUAL, USUAL / 10, 15, 'slump'],
  ['as many as are usual, after a day with four times as many', 4 * USUAL, USUAL, 15, undefined],
])('%s', (_, before, lately, minutes, kind) => {
  expect(found(before, lately, minutes)).toBe(kind);
});
