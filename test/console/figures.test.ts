// What the console computes itself: days of periods, addresses, files for spreadsheets, the steps of an axis.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSigned } from '../../server/contract/experiments.ts';
import { FILTERS, METRIC_NAMES, readChoice, writeChoice } from '../../widget/console/choice.ts';
import { toCsv } from '../../widget/console/csv.ts';
import {
  changeOf,
  dayWriter,
  inColumn,
  toCellTimes,
  toClock,
  toCompact,
  toFigure,
  toMoment,
  toMoments,
  toRate,
  toRoundRate,
} from '../../widget/console/figures.ts';
import { LIST_FILTERS, LIST_METRIC_NAMES } from '../../widget/console/lists/listChoice.ts';
import { complaintOf, datesOf, dayIn, daysOf, intervalOf, PERIODS, paramsOf } from '../../widget/console/periods.ts';
import { ticksTo } from '../../widget/console/scale.ts';
import { VIEW_NAMES } from '../../widget/console/viewNames.ts';

describe('periods', () => {
  const today = '2026-03-29';
  const own = { from: '2026-01-01', to: '2026-01-31' };

  test('today is that of the site, not that of the browser', () => {
    const at = Date.parse('2026-03-28T23:30:00Z');
    expect([dayIn('Europe/Madrid', at), dayIn('America/New_York', at)]).toEqual(['2026-03-29', '2026-03-28']);
  });

  test('a time zone that this browser does not know is taken for UTC', () => {
    const at = '2026-03-28T23:30:00Z';
    expect(dayIn('Mars/Olympus', Date.parse(at))).toBe('2026-03-28');
    expect(toClock(at, 'Mars/Olympus')).toBe('28 March 2026 at 23:30');
    expect(dayWriter('Mars/Olympus')(at)).toBe('28 March 2026');
  });

  test.each([
    ['today', 1, 'hour', [['period_start', '2026-03-29']]],
    [
      'yesterday',
      1,
      'hour',
      [
        ['period_start', '2026-03-28'],
        ['period_end', '2026-03-28'],
      ],
    ],
    ['7d', 7, 'day', [['period_start', '2026-03-23']]],
    ['28d', 28, 'day', [['period_start', '2026-03-02']]],
    ['90d', 90, 'day', [['period_start', '2025-12-30']]],
    [
      'own',
      31,
      'day',
      [
        ['period_start', '2026-01-01'],
        ['period_end', '2026-01-31'],
      ],
    ],
  ] as const)('%s has %i days, by the %s', (period, days, interval, params) => {
    const dates = datesOf(period, own, today);
    expect([daysOf(dates), intervalOf(dates), paramsOf(dates, today)]).toEqual([days, interval, params]);
  });

  test.each([
    ['', '2025-12-30'],
    ['2025-11-01', '2025-12-30'],
    ['2026-03-20', '2026-03-20'],
    // Still to be published: its readers are those of a preview.
    ['2026-04-02', '2026-03-29'],
  ])('since the publication on "%s" is from %s to today', (published, from) => {
    expect(datesOf('since', own, today, published)).toEqual({ from, to: today });
  });

  test.each([
    ['', '2026-01-01', 'Give two dates.'],
    ['2026-02-01', '2026-02-30', 'Give two dates.'],
    ['2026-02-31', '2026-03-04', 'Give two dates.'],
    ['2026-01-02', '2026-01-01', 'Give a first day that is not after the last.'],
    ['2026-01-01', '2026-03-31', ''],
    ['2026-01-01', '2026-04-01', 'Give at most 90 days.'],
  ])('from %s to %s: %s', (from, to, complaint) => {
    expect(complaintOf({ from, to })).toBe(complaint);
  });
});

test('an address and a choice say the same, whatever the filters are', () => {
  const filters = fc.record(Object.fromEntries(FILTERS.map((name) => [name, fc.string({ minLength: 1 })])), {
    requiredKeys: [],
  });
  const choice = fc.record({
    view: fc.constantFrom(...VIEW_NAMES),
    period: fc.constantFrom(...PERIODS.map(([name]) => name)),
    own: fc.constant({ from: '2026-01-01', to: '2026-01-31' }),
    metric: fc.constantFrom(...METRIC_NAMES),
    filters,
    lists: fc.record({
      metric: fc.constantFrom(...LIST_METRIC_NAMES),
      filters: fc.record(
        Object.fromEntries(LIST_FILTERS.map((name) => [name, fc.string({ minLength: 1, maxLength: 64 })])),
        { requiredKeys: [] },
      ),
    }),
  });
  fc.assert(
    fc.property(choice, (chosen) => {
      const { own, ...read } = readChoice(writeChoice(chosen));
      expect(read).toEqual({
        view: chosen.view,
        // Of a post alone.
        period: chosen.period === 'since' && chosen.view !== 'post' ? '7d' : chosen.period,
        metric: chosen.metric,
        filters: chosen.filters,
        lists: chosen.lists,
      });
      if (chosen.period === 'own') expect(own).toEqual(chosen.own);
    }),
  );
});

test.each(['?period=never&metric=secret', '?period=own&from=x&to=y', '?__proto__=x&constructor=y', '?%E0%A4%A'])(
  'what an address says that is not understood has its default: %s',
  (search) => {
    expect(readChoice(search)).toMatchObject({ period: '7d', metric: 'views', filters: {} });
  },
);

test.each([
  ['2026-03-28T21:30:00', 'America/New_York', '28 March 2026'],
  ['2026-03-29T01:30:00', 'America/New_York', '28 March 2026'],
  ['2026-03-29T01:30:00Z', 'America/New_York', '28 March 2026'],
  ['2026-03-28T21:30:00-04:00', 'Europe/Madrid', '29 March 2026'],
  ['', 'Europe/Madrid', ''],
  // A date without a time, as in lists.
  ['2026-03-04T00:00:00', 'America/New_York', '4 March 2026'],
  ['2026-03-04T00:00:00Z', 'America/New_York', '4 March 2026'],
  ['2026-03-04T00:00:00.000Z', 'America/New_York', '4 March 2026'],
  ['2026-03-04T00:00:00.500Z', 'America/New_York', '3 March 2026'],
  ['2026-03-29T00:00:00+01:00', 'Europe/Madrid', '29 March 2026'],
])('the day of %s at a site in %s is %s', (moment, zone, day) => {
  expect(dayWriter(zone)(moment)).toBe(day);
});

describe('a file for spreadsheets', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '  =1',
    '\r=1',
    '＝1',
    '=HYPERLINK("https://evil.example","A")',
    '|x',
    '%x',
  ])('has no formula in it: %j', (text) => {
    const [, line = ''] = toCsv([['Title'], [text]], 'en').split('\r\n');
    expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  test.each([
    ["z;=cmd|'/C calc'!A0", `"z;'=cmd|'/C calc'!A0"`],
    ['a; +1', `"a; '+1"`],
    ['a\t@b', `"a\t'@b"`],
    ['a; b - c', '"a; b - c"'],
  ])('has none where a spreadsheet separates by another sign: %j', (text, field) => {
    expect(toCsv([['Title', text]], 'en')).toBe(`\uFEFFTitle,${field}\r\n`);
  });

  test('keeps every other text, and figures as figures', () => {
    expect(
      toCsv(
        [
          ['Title', 'Views'],
          ['A "quoted", title', 1234.5],
          ['Two\nlines', -1],
        ],
        'en',
      ),
    ).toBe('\uFEFFTitle,Views\r\n"A ""quoted"", title",1234.5\r\n"Two\nlines",-1\r\n');
  });

  test.each(['de', 'fr', 'es-ES', 'pt-BR'])('has figures as a spreadsheet in %s reads them', (language) => {
    const rows = [
      ['Title; words', 'Minutes'],
      ['A, b', 1234.5],
      ['C', 7],
    ];
    expect(toCsv(rows, language)).toBe('\uFEFF"Title; words";Minutes\r\n"A, b";1234,5\r\nC;7\r\n');
  });

  test('has no more decimals of a quotient than of the shares that the server answers', () => {
    expect(toCsv([['Phone', 1 / 3, 2, 1234567.5]], 'en')).toBe('\uFEFFPhone,0.33333,2,1234567.5\r\n');
  });

  test.each(['en-GB', 'de-CH', 'es-MX', 'ja', 'ar'])('has a decimal point in %s', (language) => {
    expect(toCsv([['A', 0.5]], language)).toBe('\uFEFFA,0.5\r\n');
  });
});

test('figures, changes and moments are written in one way', () => {
  expect([0, 7.125, 12.34, 1234567.89].map(toFigure)).toEqual(['0', '7.13', '12.3', '1,234,568']);
  expect([changeOf(12, 10), changeOf(5, 0), changeOf(5, undefined)]).toEqual([0.2, undefined, undefined]);
  expect(toMoment('2026-03-29T02:00:00+01:00', 'hour')).toBe('Sun 29 Mar, 02:00');
  expect(toMoment('2026-03-29T00:00:00+01:00', 'day')).toBe('Sun 29 Mar');
});

test('figures of a column have as many decimals as its largest, but for what would be none', () => {
  const column = (...values: number[]) => values.map(inColumn(values));
  expect(column(1415.2, 416.63, 93, 0.2)).toEqual(['1,415', '417', '93', '0.2']);
  expect(column(12.34, 5, 0.5)).toEqual(['12.3', '5.0', '0.5']);
  expect(column(4.789, 4, 0)).toEqual(['4.79', '4.00', '0.00']);
  expect(column(12, 5, 1234)).toEqual(['12', '5', '1,234']);
  expect(column()).toEqual([]);
});

test('moments of a file are dates and times as spreadsheets read them', () => {
  expect(toCellTimes(['2040-10-28T00:00:00+02:00', '2040-10-29T00:00:00+01:00'], 'day')).toEqual([
    '2040-10-28',
    '2040-10-29',
  ]);
  const hours = ['02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00'].map((time) => `2040-10-28T${time}`);
  expect(toCellTimes(hours, 'hour')).toEqual(['2040-10-28 02:00', '2040-10-28 02:00 (+01:00)', '2040-10-28 03:00']);
});

test('hours that a clock shows twice have the offset behind the second one', () => {
  const starts = ['01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00'];
  expect(
    toMoments(
      starts.map((time) => `2040-10-28T${time}`),
      'hour',
    ),
  ).toEqual(['Sun 28 Oct, 01:00', 'Sun 28 Oct, 02:00', 'Sun 28 Oct, 02:00 (+01:00)', 'Sun 28 Oct, 03:00']);
});

test('the steps of an axis are written as they are', () => {
  expect(ticksTo(1).map(toCompact)).toEqual(['0', '0.25', '0.5', '0.75', '1']);
  expect(ticksTo(0.04).map(toCompact)).toEqual(['0', '0.01', '0.02', '0.03', '0.04']);
  expect(ticksTo(9_000).map(toCompact)).toEqual(['0', '2.5K', '5K', '7.5K', '10K']);
});

test.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [4.5, [0, 2, 4, 6]],
  [9, [0, 5, 10]],
  [90, [0, 25, 50, 75, 100]],
])('an axis of whole things up to %f has whole steps', (most, ticks) => {
  expect(ticksTo(most, { isWhole: true })).toEqual(ticks);
});

test('rates that stand below each other have as many decimals', () => {
  expect([0.04, 0.0412, 0.5, 1].map(toRate)).toEqual(['4.00%', '4.12%', '50.00%', '100.00%']);
  expect([0.05, 0.125, 1].map(toRoundRate)).toEqual(['5%', '12.5%', '100%']);
});

test('an axis has few round steps from 0, and reaches the highest figure', () => {
  expect([ticksTo(0), ticksTo(7), ticksTo(980)]).toEqual([
    [0, 1],
    [0, 2, 4, 6, 8],
    [0, 250, 500, 750, 1000],
  ]);
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e12, noNaN: true }), (most) => {
      const ticks = ticksTo(most);
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(most * 0.999_999);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

test.each([
  [0.0124, '+0.012'],
  [-0.0124, '-0.012'],
  [0.0004, '0.000'],
  [-0.0004, '0.000'],
  [-1200, '-1,200.000'],
])('a difference of %f has a sign where it is written as more than nothing: %s', (difference, written) => {
  const write = (size: number) => size.toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  expect(toSigned(difference, write)).toBe(written);
});
