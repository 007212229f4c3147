// Simulated experiments, looked at after every 100 readers: how often equal variants are said to differ, how often a
// difference is found, and how soon the better of two headlines gets the readers.
//   npm run bench experiments                 1,000 experiments a row
//   npm run bench experiments -- --runs 100
import { parseArgs } from 'node:util';
import type { Goal } from '../server/contract/experiments.ts';
import { type AnalysisPlan, testsOf } from '../server/experiments/analyse.ts';
import { LONGEST_TEST_MS } from '../server/experiments/judgeAlternatives.ts';
import { type Behaviour, type Outcome, type Simulated, simulate, USUAL } from './support/simulatedExperiment.ts';
import { type HeadlineOutcome, simulateHeadlines } from './support/simulatedHeadlines.ts';
import { type Bench, median } from './support/table.ts';

const READERS = 20_000;
const EVERY = 100;
const RUNS = 1_000;

interface Case extends Simulated {
  name: string;
}

function caseOf(name: string, goal: Goal, shares: readonly number[], changed: Partial<Behaviour> = {}): Case {
  const variants = shares.map((share, at) => ({ name: at === 0 ? 'control' : `b${at}`, share }));
  const plan: AnalysisPlan = { goal, readers: READERS, variants };
  const behaviours = shares.map((_, at) => (at === 0 ? USUAL : { ...USUAL, ...changed }));
  return { name, plan, behaviours, every: EVERY };
}

/** Differences are sized so that a fixed-size test finds about 80 or 90 % of them. */
const CASES: readonly Case[] = [
  caseOf('A/A, click rate', 'clicks', [50, 50]),
  caseOf('A/A, quality click rate', 'quality_clicks', [50, 50]),
  caseOf('A/A, views a visit', 'views', [50, 50]),
  caseOf('A/A, click rate, 90 : 10', 'clicks', [90, 10]),
  caseOf('A/A/A, click rate', 'clicks', [34, 33, 33]),
  caseOf('A/B, click rate 3 % and 3.56 %', 'clicks', [50, 50], { clicks: 0.0356 }),
  caseOf('A/B, click rate 3 % and 3.65 %', 'clicks', [50, 50], { clicks: 0.0365 }),
  caseOf('A/B, click rate 3 % and 4.5 %', 'clicks', [50, 50], { clicks: 0.045 }),
  caseOf('A/B, quality click rate 1.8 % and 2.24 %', 'quality_clicks', [50, 50], { quality: 0.747 }),
  caseOf('A/B, views a visit 1.71 and 1.75', 'views', [50, 50], { further: 0.4155 }),
];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string' } } });
  const runs = Number(values.runs ?? RUNS);
  const done = CASES.map((one) => {
    const tests = testsOf(one.plan);
    return { ...one, outcomes: Array.from({ length: runs }, (_, seed) => simulate(one, seed, tests)) };
  });
  const equal = done.filter(({ name }) => name.startsWith('A/A')).flatMap(({ outcomes }) => outcomes);
  return {
    title: 'Experiments that are looked at all the time',
    columns: [
      'Experiment',
      'ours, at each look',
      'fixed-size test, at the end',
      'ours beside it',
      'mixture SPRT alone, at each look',
      'fixed-size test, at each look',
      'readers until ours decides (median)',
    ],
    rows: done.map(({ name, outcomes }) => rowOf(name, outcomes)),
    notes: [
      `Experiments decided at 5 %, of ${runs.toLocaleString('en')} simulated ones a row: ${READERS.toLocaleString('en')} readers, looked at after every ${EVERY}, stopped at the first decision. A reader sees 1.4 lists on average; half of the readers click three times as often as the others; readers are the units, by the delta method.`,
      'Rows A/A are false decisions, rows A/B are power. The mixture SPRT alone is tuned for the last look; a fixed-size test at each look is what one must not do. Of three variants, ours shares the 5 % between its two comparisons; the others do not.',
      `Of the ${equal.length.toLocaleString('en')} experiments of equal variants, ${percent(shareOf(equal, ({ sampleRatioAlarm }) => sampleRatioAlarm))} had an alarm of the sample ratio, ${percent(shareOf(equal, ({ guardrailAlarm }) => guardrailAlarm))} one of a guardrail.`,
      ...headlines(),
    ],
  };
};

export default bench;

function shareOf(outcomes: readonly Outcome[], holds: (outcome: Outcome) => boolean): number {
  return outcomes.filter(holds).length / outcomes.length;
}

function rowOf(name: string, outcomes: readonly Outcome[]): string[] {
  const [ours, fixed] = [
    shareOf(outcomes, ({ decidedAt }) => decidedAt !== undefined),
    shareOf(outcomes, (outcome) => outcome.fixed),
  ];
  const times = outcomes.flatMap(({ decidedAt }) => decidedAt ?? []);
  return [
    name,
    percent(ours),
    percent(fixed),
    name.startsWith('A/A') ? '' : percent(ours / fixed),
    percent(shareOf(outcomes, (outcome) => outcome.mixtureAlone)),
    percent(shareOf(outcomes, (outcome) => outcome.fixedAtEachLook)),
    name.startsWith('A/A') || times.length === 0 ? '' : median(times).toLocaleString('en'),
  ];
}

const SHOWINGS = 20_000;
const HEADLINE_RUNS = 100;
const EQUAL_RUNS = 200;
const WANTED = 0.8;
const RATES = [0.02, 0.03] as const;
/** Showings a day: with the most, a test that nothing decides is over 20,000 showings in half a day. */
const PACES = [2_500, 10_000, 40_000] as const;

/** Showings of the first day, and of each day by those of the day before. */
const FALLING = [
  [1_500, 0.25],
  [800, 0.3],
  [300, 1],
] as const;
const FALLING_RUNS = 100;

/** Headline tests as the server judges them. */
function headlines(): string[] {
  return [
    `Headlines with quality click rates of ${RATES.map((rate) => `${rate * 100} %`).join(' and ')}, judged as the server does: every five minutes by Thompson sampling, clicks counting half a day later, until one is the best with 95 % and lists showed the post 1,000 times, or for seven days. ${PACES.map((perDay) => unequalSentence(perDay)).join(' ')}`,
    `Where readers come in the first days, ${FALLING.map(([perDay, falls]) => fallingPart(perDay, falls)).join('; ')}, of ${FALLING_RUNS} tests.`,
    `Equal headlines (${RATES[0] * 100} % both), where an ending before seven days is a false one, which costs no reader anything: ${PACES.map((perDay) => equalPart(perDay)).join('; ')}.`,
  ];
}

const inWords = (perDay: number) => `${perDay.toLocaleString('en')} showings a day`;

function unequalSentence(perDay: number): string {
  const runs = Array.from({ length: HEADLINE_RUNS }, (_, seed) =>
    simulateHeadlines({ rates: RATES, perDay, showings: SHOWINGS }, seed),
  );
  const count = (holds: (run: HeadlineOutcome) => boolean) => runs.filter(holds).length;
  const ends = runs.flatMap(({ endedAt }) => endedAt ?? []);
  return `At ${inWords(perDay)}, the better one has ${WANTED * 100} % of the last 2,000 of ${SHOWINGS.toLocaleString('en')} in ${count(({ last }) => last >= WANTED)} of ${HEADLINE_RUNS} runs, and of all in ${count(({ whole }) => whole >= WANTED)}; it wins in ${count(({ winner }) => winner === 1)}, the other one in ${count(({ winner }) => winner === 0)}, after ${median(ends).toLocaleString('en')} (median).`;
}

function fallingPart(perDay: number, falls: number): string {
  const runs = Array.from({ length: FALLING_RUNS }, (_, seed) =>
    simulateHeadlines({ rates: RATES, perDay, falls }, seed),
  );
  const count = (wins: number | undefined) => runs.filter(({ winner }) => winner === wins).length;
  const each = falls === 1 ? 'on each day' : `on the first day and ${falls} times as many on each that follows`;
  return `${perDay.toLocaleString('en')} ${each}: the better one wins in ${count(1)}, the other one in ${count(0)}, none in eight days in ${count(undefined)}`;
}

function equalPart(perDay: number): string {
  const showings = (perDay * LONGEST_TEST_MS) / 86_400_000;
  const runs = Array.from({ length: EQUAL_RUNS }, (_, seed) =>
    simulateHeadlines({ rates: [RATES[0], RATES[0]], perDay, showings }, seed),
  );
  return `${percent(runs.filter(({ isSure }) => isSure).length / EQUAL_RUNS)} of ${EQUAL_RUNS} at ${inWords(perDay)}`;
}
