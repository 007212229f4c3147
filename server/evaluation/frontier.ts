// The frontier between page and readers: what each setting of the mix dial gives of the page's own links and of the
// next read, on a log. Settings are fitted on the first half of the log and judged on the second; nothing is changed.
//
//   for (const step of evaluateFrontier({ log, index, related, clock })) …     the last step has the frontier

import { Behaviour } from '../readers/behaviour/behaviour.ts';
import { recommend } from '../recommend/recommend.ts';
import { Workspace } from '../recommend/workspace.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { type FrontierPoint, Tally } from './frontierTally.ts';
import { chooseSetting } from './kneePoint.ts';
import { isQuestion } from './nextRead.ts';
import type { Log } from './readingLog.ts';
import { SessionsSoFar } from './sessionsSoFar.ts';

/** Values of the dial that are compared. */
export const SETTINGS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1];

export interface Frontier {
  /** Of the second half of the log, in the order of `SETTINGS`. */
  points: readonly FrontierPoint[];
  /** The same settings in the first half, after a quarter of the log was learned. */
  fitted: readonly FrontierPoint[];
  /** What `points` compare the page by: the links given, or the list of the page alone. */
  page: 'links' | 'kept';
  /** Chosen by the first half. */
  recommended: number;
  /** The setting that the second half alone would choose. */
  confirmed: number;
}

export interface FrontierStep {
  /** Views gone through, of `total`. */
  done: number;
  total: number;
  /** On the last step. */
  frontier?: Frontier;
}

export interface FrontierOptions {
  log: Log;
  /** Filled with the posts of the site. */
  index: PostIndex;
  /** URL of a post → URLs that belong below it. Default: none are known. */
  related?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Milliseconds of any origin, for the time an answer takes. */
  clock: () => number;
  /** Views predicted in each half at most, spread evenly. Default: 2,000. */
  most?: number;
}

const DEPTH = 20;
/** Between two steps; a view that is predicted takes some milliseconds, the others none. */
const VIEWS_A_STEP = 1000;
const QUESTIONS_A_STEP = 10;
const QUESTIONS = 2_000;
const REQUEST = { filters: {}, excluded: new Set<string>(), sort: 'score', page: 1, respectEmpty: false } as const;

export function* evaluateFrontier(options: FrontierOptions): Generator<FrontierStep> {
  const { log, index, related = new Map(), clock, most = QUESTIONS } = options;
  const halves = halvesOf(log, most);
  const tallies = halves.map(() => SETTINGS.map((mix) => new Tally(mix, index)));
  const sessions = new SessionsSoFar();
  const readers = new Behaviour();
  const workspace = new Workspace();
  let at = 0;
  let asked = 0;
  for (const reading of log) {
    const half = halves.findIndex(({ from, to }) => at >= from && at < to);
    const read = sessions.readBy(reading);
    if (half >= 0 && isQuestion(read, reading) && halves[half]!.met++ % halves[half]!.every === 0) {
      asked++;
      const [url] = read as [string];
      const visits = read.map((one) => ({ url: one, time: reading.time }));
      let own: string[] = [];
      for (const tally of tallies[half]!) {
        const { mix } = tally;
        const start = clock();
        const request = { ...REQUEST, url, visits, readers, dials: { mix }, limit: DEPTH };
        const found = recommend(index, request, reading.time, workspace).map((one) => one.url);
        const spent = clock() - start;
        if (mix === 0) own = found;
        tally.add(found, { wanted: reading.post, own, links: related.get(url), now: reading.time, spent });
      }
    }
    sessions.add(reading);
    readers.learn(reading);
    at++;
    if (at % VIEWS_A_STEP !== 0 && asked < QUESTIONS_A_STEP) continue;
    asked = 0;
    yield { done: at, total: log.length };
  }
  const [fitted, points] = tallies.map((some) => some.map((tally) => tally.point())) as [
    FrontierPoint[],
    FrontierPoint[],
  ];
  yield { done: log.length, total: log.length, frontier: frontierOf(fitted, points) };
}

function frontierOf(fitted: readonly FrontierPoint[], points: readonly FrontierPoint[]): Frontier {
  const page = fitted.some(({ links }) => links !== undefined) ? 'links' : 'kept';
  const choose = (some: readonly FrontierPoint[]) => chooseSetting(some, (point) => point[page] ?? 0);
  return { points, fitted, page, recommended: choose(fitted), confirmed: choose(points) };
}

/** The second quarter of the log, and its second half; which of their questions are asked. */
function halvesOf(log: Log, most: number): { from: number; to: number; every: number; met: number }[] {
  const [quarter, half] = [Math.floor(log.length / 4), Math.floor(log.length / 2)];
  const bounds = [
    { from: quarter, to: half },
    { from: half, to: log.length },
  ];
  const counts = bounds.map(() => 0);
  const sessions = new SessionsSoFar();
  let at = 0;
  for (const reading of log) {
    const place = bounds.findIndex(({ from, to }) => at >= from && at < to);
    if (place >= 0 && isQuestion(sessions.readBy(reading), reading)) counts[place]!++;
    sessions.add(reading);
    at++;
  }
  return bounds.map((bound, place) => ({ ...bound, every: Math.max(1, Math.ceil(counts[place]! / most)), met: 0 }));
}
