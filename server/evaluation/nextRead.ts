// How well the next read of a reader is predicted: a log is gone through in order of time, every view that follows
// another of the same session is predicted from what came before it, and only then learned.
//
//   for (const step of evaluateNextRead(rankers, { log, clock })) …     the last step has the results
import type { Reading } from '../readers/behaviour/behaviour.ts';
import type { Log } from './readingLog.ts';
import { SessionsSoFar } from './sessionsSoFar.ts';

/** Predicts the next read, and learns from each one. */
export interface Predictor {
  name: string;
  /** @param read Posts of the session so far, newest first. @returns Best first. */
  predict(read: readonly string[], question: { now: number; most: number; visitor: string }): string[];
  learn(reading: Reading): void;
}

export interface NextReadResult {
  name: string;
  /** Share of the views that were among the first twenty predicted. */
  hitRate: number;
  /** Mean of 1 / rank, 0 where it is not among the first twenty. */
  reciprocal: number;
  /** Milliseconds an answer: half of them took less, and 99 of 100. */
  p50: number;
  p99: number;
  questions: number;
}

export interface NextReadStep {
  /** Views gone through, of `total`. */
  done: number;
  total: number;
  /** On the last step. */
  results?: NextReadResult[];
}

export interface NextReadOptions {
  log: Log;
  /** Milliseconds of any origin, for the time an answer takes. */
  clock: () => number;
  /** Share of the log that is learned before anything is asked. Default: half of it. */
  learned?: number;
  /** Questions asked at most, spread evenly. Default: 20,000. */
  most?: number;
}

const DEPTH = 20;
const VIEWS_A_STEP = 1000;

export function* evaluateNextRead(
  predictors: readonly Predictor[],
  { log, clock, learned = 0.5, most = 20_000 }: NextReadOptions,
): Generator<NextReadStep> {
  const begin = Math.floor(log.length * learned);
  const askable = countQuestions(log, begin);
  const every = Math.max(1, Math.ceil(askable / most));
  const tallies = predictors.map(({ name }) => ({ name, hits: 0, reciprocal: 0, times: [] as number[] }));
  const sessions = new SessionsSoFar();
  let question = 0;
  let at = -1;
  for (const reading of log) {
    at++;
    const read = sessions.readBy(reading);
    if (at >= begin && isQuestion(read, reading) && question++ % every === 0) {
      const asked = { now: reading.time, most: DEPTH, visitor: reading.visitor };
      for (const [i, predictor] of predictors.entries()) {
        const start = clock();
        const order = predictor.predict(read, asked);
        const tally = tallies[i]!;
        tally.times.push(clock() - start);
        const rank = order.slice(0, DEPTH).indexOf(reading.post);
        if (rank < 0) continue;
        tally.hits++;
        tally.reciprocal += 1 / (rank + 1);
      }
    }
    sessions.add(reading);
    for (const predictor of predictors) predictor.learn(reading);
    if (at % VIEWS_A_STEP === 0) yield { done: at, total: log.length };
  }
  yield { done: log.length, total: log.length, results: tallies.map(toResult) };
}

/** A view that follows another of its session, of a post that the session has not read yet. */
export const isQuestion = (read: readonly string[], { post }: Reading) => read.length > 0 && !read.includes(post);

function countQuestions(log: Log, begin: number): number {
  const sessions = new SessionsSoFar();
  let count = 0;
  let at = -1;
  for (const reading of log) {
    at++;
    if (at >= begin && isQuestion(sessions.readBy(reading), reading)) count++;
    sessions.add(reading);
  }
  return count;
}

function toResult({
  name,
  hits,
  reciprocal,
  times,
}: {
  name: string;
  hits: number;
  reciprocal: number;
  times: number[];
}) {
  const questions = times.length;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(questions - 1, Math.floor(questions * share))] ?? 0;
  return {
    name,
    hitRate: hits / (questions || 1),
    reciprocal: reciprocal / (questions || 1),
    p50: quantile(0.5),
    p99: quantile(0.99),
    questions,
  };
}
