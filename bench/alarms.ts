// Alarms of simulated years: how often one is raised without a cause, and how soon spikes and silences that are planted
// are found.
//   npm run bench alarms                 a year and 1,000 planted events a row
//   npm run bench alarms -- --runs 100
import { parseArgs } from 'node:util';
import { DEFAULT_MINIMUM } from '../server/sites/alarmSettings.ts';
import { falseAlarms, type JudgedYear, judgedYear, type Planted, plant } from './support/simulatedAlarms.ts';
import { simulateYear } from './support/simulatedTraffic.ts';
import { type Bench, median } from './support/table.ts';

const RUNS = 1_000;
const SEED = 1;
/** Page views of an average day. */
const SITES = [5_000, 20_000, 100_000, 1_000_000] as const;
/** Usual views an hour, from which on all of them are to be found within five minutes. */
const ENOUGH = 600;
const PLANTED: readonly Pick<Planted, 'kind' | 'factor'>[] = [
  { kind: 'spike', factor: 3 },
  { kind: 'spike', factor: 5 },
  { kind: 'silent', factor: 0 },
];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string' } } });
  const runs = Number(values.runs ?? RUNS);
  return {
    title: 'Alarms of a simulated year',
    columns: [
      'Page views a day',
      'false alarms, of weeks',
      'most in one week',
      'hours with usual views',
      ...['3 times the views', '5 times the views', 'silence'].map((what) => `${what}: found in 5 minutes (median)`),
    ],
    rows: SITES.flatMap((perDay) => rowsOf(perDay, runs)),
    notes: [
      `Years of page views by minutes: rhythms of the day and the week, growth by half, 12 holidays with 55 % of the views an hour and a half later, levels of days and hours that wander by 12 and 15 %, four bursts a week of up to 70 % more, and minutes that scatter by 30 % beside Poisson. Judged at the end of each minute by what the server judges by, after the eight weeks that say what is usual.`,
      `A spike or silence begins at a random minute whose hour before has as many usual views as the row says, ${runs.toLocaleString('en')} a cell. Below ${DEFAULT_MINIMUM} usual views an hour nothing is said.`,
    ],
  };
};

export default bench;

function rowsOf(perDay: number, runs: number): string[][] {
  const judged = judgedYear(simulateYear(perDay, SEED));
  const { raised, weeks, most } = falseAlarms(judged, DEFAULT_MINIMUM);
  const cells = (least: number, below: number) =>
    PLANTED.map((what) => foundCell(judged, { ...what, least, below, runs }));
  const hours = [
    { said: `${ENOUGH} and more`, least: ENOUGH, below: Number.POSITIVE_INFINITY },
    { said: `${DEFAULT_MINIMUM} to ${ENOUGH}`, least: DEFAULT_MINIMUM, below: ENOUGH },
  ];
  const found = hours.map(({ said, least, below }) => [said, ...cells(least, below)]);
  return found
    .filter(([, ...cells]) => cells.some((cell) => cell !== ''))
    .map((row, at) => [
      ...(at > 0 ? ['', '', ''] : [perDay.toLocaleString('en'), `${raised.length}, of ${weeks}`, String(most)]),
      ...row,
    ]);
}

function foundCell(judged: JudgedYear, planted: Planted): string {
  const minutes = plant(judged, planted, DEFAULT_MINIMUM);
  if (minutes.length < planted.runs) return '';
  const within = minutes.filter((one) => one !== undefined && one <= 5).length;
  const times = minutes.flatMap((one) => one ?? []);
  return `${percent(within / minutes.length)}${times.length === 0 ? '' : ` (${median(times)} min)`}`;
}
