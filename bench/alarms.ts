// Alarms of simulated years: how often one is raised without a cause, and how soon spikes and silences that are planted
// are found, beside how many of them could be found at all.
//   npm run bench alarms                 three years and 1,000 planted events a row
//   npm run bench alarms -- --runs 100
import { parseArgs } from 'node:util';
import { DEFAULT_MINIMUM } from '../server/sites/alarmSettings.ts';
import {
  type Found,
  falseAlarms,
  type JudgedYear,
  judgedYear,
  type Planted,
  plant,
} from './support/simulatedAlarms.ts';
import { simulateYear } from './support/simulatedTraffic.ts';
import { type Bench, median } from './support/table.ts';

const RUNS = 1_000;
/** The detector was set on the years of 11 and 12. */
const SEEDS = [1, 2, 3] as const;
/** Page views of an average day. */
const SITES = [5_000, 20_000, 100_000, 1_000_000] as const;
/** Usual views an hour, from and below. */
const HOURS = [
  [DEFAULT_MINIMUM, 150],
  [150, 300],
  [300, 600],
  [600, Number.POSITIVE_INFINITY],
] as const;
const PLANTED: readonly Pick<Planted, 'kind' | 'factor'>[] = [
  { kind: 'spike', factor: 3 },
  { kind: 'spike', factor: 5 },
  { kind: 'silent', factor: 0 },
];

const percent = (some: number, all: number): string => `${((100 * some) / all).toFixed(1)} %`;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string' } } });
  const runs = Math.ceil(Number(values.runs ?? RUNS) / SEEDS.length);
  return {
    title: 'Alarms of simulated years',
    columns: [
      'Page views a day',
      'false alarms, of weeks',
      'most in one week',
      'usual views an hour',
      ...['3 times the views', '5 times the views', 'silence'].map(
        (planted) => `${planted}: found in 5 minutes (could be)`,
      ),
      'median, in minutes',
    ],
    rows: SITES.flatMap((perDay) => rowsOf(perDay, runs)),
    notes: [
      'Years of page views by minutes: rhythms of the day and the week, growth by half, 12 holidays with 55 % of the views an hour and a half later, levels of days and hours that wander by 12 and 15 %, four bursts a week of up to 70 % more, and minutes that scatter by 30 % beside Poisson. Judged at the end of each minute by what the server judges by, after the eight weeks that say what is usual; three years of each site, others than those that the detector was set on.',
      `A spike or silence begins at a random minute whose hour before has as many usual views as the row says, ${runs * SEEDS.length} a cell. "Could be": of the same events, those that are told from usual traffic as surely by someone who knows the mean of every minute, and how minutes scatter. With r views a minute, five minutes without one have the probability e^-5r: 0.7 % with 60 an hour, which usual traffic has several times a day. Below ${DEFAULT_MINIMUM} usual views an hour nothing is said.`,
    ],
  };
};

export default bench;

function rowsOf(perDay: number, runs: number): string[][] {
  const years = SEEDS.map((seed) => judgedYear(simulateYear(perDay, seed)));
  const alarms = years.map((year) => falseAlarms(year, DEFAULT_MINIMUM));
  const sum = (figure: (one: (typeof alarms)[number]) => number) => alarms.reduce((all, one) => all + figure(one), 0);
  const first = [
    perDay.toLocaleString('en'),
    `${sum(({ raised }) => raised.length)}, of ${sum(({ weeks }) => weeks)}`,
    String(Math.max(...alarms.map(({ most }) => most))),
  ];
  const found = HOURS.flatMap(([least, below]) => {
    const cells = PLANTED.map((planted) => foundIn(years, { ...planted, least, below, runs }));
    if (cells.some((cell) => cell.length < runs * SEEDS.length)) return [];
    const said = below === Number.POSITIVE_INFINITY ? `${least} and more` : `${least} to ${below}`;
    return [[said, ...cells.map(cellOf), cells.map(medianOf).join(', ')]];
  });
  return found.map((row, at) => [...(at > 0 ? ['', '', ''] : first), ...row]);
}

const foundIn = (years: readonly JudgedYear[], planted: Planted): Found[] =>
  years.flatMap((year) => plant(year, planted, DEFAULT_MINIMUM));

const isInTime = ({ minutes }: Found): boolean => minutes !== undefined && minutes <= 5;

const cellOf = (found: readonly Found[]): string =>
  `${percent(found.filter(isInTime).length, found.length)} (${percent(found.filter(({ isAttainable }) => isAttainable).length, found.length)})`;

/** Those that were not found within ten minutes count as eleven. */
const medianOf = (found: readonly Found[]): string => {
  const middle = median(found.map(({ minutes }) => minutes ?? 11));
  return middle > 10 ? 'above 10' : String(middle);
};
