// What dates say of the posts of a site is learned from the site: a ratio that never rises with the days between them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generator } from '../../bench/related/grow.ts';
import { createQuery } from '../../server/recommend/createQuery.ts';
import { effectOf } from '../../server/recommend/factors/factor.ts';
import { time } from '../../server/recommend/factors/time.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import { DateGaps, learnDateGaps } from '../../server/textindex/dateGaps.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { ask, at, DAY, indexOf, NOW, post, request } from './corpus.ts';

const days = fc.double({ min: 0, max: 20_000, noNaN: true });

test('the ratio is 1 for no days, and never rises with them, whatever was learned', () => {
  fc.assert(
    fc.property(
      fc.array(days, { maxLength: 60 }),
      fc.array(fc.nat(9000), { maxLength: 60 }),
      days,
      days,
      (close, dates, a, b) => {
        const gaps = learnDateGaps({ close, dates: dates.map((date) => NOW - date * DAY) });
        expect(gaps.logRatio(0)).toBe(0);
        expect(gaps.logRatio(Math.max(a, b))).toBeLessThanOrEqual(gaps.logRatio(Math.min(a, b)) + 1e-9);
      },
    ),
    { numRuns: 300 },
  );
});

const DATES = Array.from({ length: 1000 }, (_, day) => NOW - day * DAY);

test('of a site whose close posts are next to each other in time, time counts more than of one where they are not', () => {
  const next = learnDateGaps({ close: Array.from({ length: 3000 }, (_, at) => 1 + (at % 3)), dates: DATES });
  const usual = new DateGaps();
  const random = generator(1);
  const anyGap = () => Math.floor(Math.abs(random() - random()) * 1000);
  const anywhere = learnDateGaps({ close: Array.from({ length: 3000 }, anyGap), dates: DATES });
  expect(next.logRatio(100)).toBeLessThan(usual.logRatio(100) - 1);
  expect(anywhere.logRatio(400) - anywhere.logRatio(3)).toBeGreaterThan(usual.logRatio(400) - usual.logRatio(3) + 0.5);
});

test('little that is known of a site changes little', () => {
  const few = learnDateGaps({ close: [1, 2, 1], dates: DATES.slice(0, 5) });
  for (const gap of [1, 30, 400]) expect(Math.abs(few.logRatio(gap) - new DateGaps().logRatio(gap))).toBeLessThan(0.5);
});

/** Release notes by a template: what changed is named again in the next two releases and never after that. */
const release = (n: number) =>
  post(`release${n}`, {
    title: 'Release of the week',
    fullContent:
      'Downloads and thanks to all who contributed to this release of the editor. ' +
      [n, n + 1, n + 2].map((one) => `change${one} repair${one} tool${one}`).join(' ') +
      ` word${(n * 13) % 40} thing${(n * 29) % 37} case${(n * 17) % 31}`,
    pubDate: NOW - n * 7 * DAY,
  });

test('below templated release notes stand those nearest in time', () => {
  const index = new PostIndex();
  for (let n = 0; n < 120; n++) index.put(release(n), { deferred: true });
  for (const _ of index.tidy());
  const list = ask(index, { url: at('release60'), limit: 4 });
  expect(list.sort()).toEqual(['release58', 'release59', 'release61', 'release62']);
});

test('an index restored from its snapshot says the same of dates', () => {
  const index = new PostIndex();
  for (let n = 0; n < 120; n++) index.put(release(n), { deferred: true });
  for (const _ of index.tidy());
  const restored = new PostIndex();
  for (const part of index.snapshot()) restored.restore(structuredClone(part));
  expect(restored.survey.dateGaps.logs).toEqual(index.survey.dateGaps.logs);
  expect(restored.survey.dateGaps.logs).toBeDefined();
});

test('a young site is judged by what is usual', () => {
  expect(indexOf([release(1), release(2)]).survey.dateGaps.logs).toBeUndefined();
});

test('below a post of few words its time counts more than below one of many', () => {
  const more = Array.from({ length: 3000 }, (_, n) => `other${n}`).join(' ');
  const index = indexOf([
    post('brief', { fullContent: 'ferry harbour kiosk ticket', pubDate: NOW - DAY }),
    post('long', { fullContent: `ferry harbour kiosk ticket ${more}`, pubDate: NOW - DAY }),
    post('old', { fullContent: 'ferry harbour kiosk bread', pubDate: NOW - 100 * DAY }),
  ]);
  const timeOf = (url: string) => {
    const query = createQuery(index, request({ url: at(url) }), NOW, new Workspace());
    return effectOf(time, query)!.of(index.find(at('old')));
  };
  expect(timeOf('brief')).toBeLessThan(timeOf('long'));
});
