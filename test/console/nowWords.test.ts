// Why "Now" has nothing that is usual, in words.
import { expect, test } from 'vitest';
import type { NowRecord } from '../../server/contract/now.ts';
import { usualOf, whyNothing, written } from '../../widget/console/now/words.ts';

const record = (of: Partial<NowRecord>) => ({ weeks: 0, least_weeks: 3, too_few_days: null, ...of }) as NowRecord;

test.each<[what: string, record: NowRecord, words: string]>([
  ['a site with eight weeks', record({ weeks: 8 }), ''],
  [
    'a new site',
    record({}),
    'Nothing is usual yet: it takes three weeks with readers on this weekday, and so far there is none.',
  ],
  [
    'a site of two weeks',
    record({ weeks: 2 }),
    'Nothing is usual yet: it takes three weeks with readers on this weekday, and so far there are two.',
  ],
  [
    'a site that keeps visits for two weeks',
    record({ weeks: 2, too_few_days: 14 }),
    'Nothing is usual here: it takes three weeks, and visits are kept for 14 days.',
  ],
])('%s', (_what, of, words) => {
  expect(whyNothing(of)).toBe(words);
});

test('a share that is less than usual does not read as the lowest usual one', () => {
  const recirculation = { name: 'recirculation_rate', minutes: 60 } as const;
  const usual = { low: 0.3704, median: 0.375, high: 0.38 };
  expect(written(recirculation, 0.3666)).toBe('36.7%');
  expect(usualOf({ ...recirculation, usual })).toBe('usual 37% to 38%');
});
