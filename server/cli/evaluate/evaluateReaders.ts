// `afterword evaluate --log`: how well next reads are predicted, on a log of your own.
import { inDigits } from '../../counted.ts';
import { evaluateFrontier, type Frontier, type FrontierOptions } from '../../evaluation/frontier.ts';
import { evaluateNextRead, type NextReadResult } from '../../evaluation/nextRead.ts';
import { rankingsOfReaders } from '../../evaluation/predictors.ts';
import type { Log } from '../../evaluation/readingLog.ts';
import type { PostIndex } from '../../textindex/postIndex.ts';
import { CommandError } from '../commandError.ts';
import { openProgress } from '../progress.ts';
import { table } from '../table.ts';

/** Views predicted at most: where there are posts, each takes a millisecond and more. */
const WITH_POSTS = 4_000;
const WITHOUT = 20_000;

/** @throws {CommandError} when there is nothing in the log that could be predicted. */
export function evaluateReaders(log: Log, index: PostIndex | undefined): NextReadResult[] {
  const rankings = rankingsOfReaders(index);
  const bar = openProgress({ title: 'Ranking', total: log.length, elsewhere: 'now and then' });
  let results: NextReadResult[] = [];
  const options = { log, clock: () => performance.now(), most: index ? WITH_POSTS : WITHOUT };
  try {
    for (const step of evaluateNextRead(rankings, options)) {
      bar.update(step.done, 'views');
      results = step.results ?? [];
    }
  } finally {
    bar.close();
  }
  if (!results.some(({ questions }) => questions > 0)) {
    throw new CommandError('The second half of this log has no session with two posts: nothing to predict.');
  }
  return results;
}

/** The frontier between page and readers. */
export function evaluateMix(options: Omit<FrontierOptions, 'clock'>): Frontier {
  const bar = openProgress({ title: 'Mixing', total: options.log.length, elsewhere: 'now and then' });
  let frontier: Frontier | undefined;
  try {
    for (const step of evaluateFrontier({ ...options, clock: () => performance.now() })) {
      bar.update(step.done, 'views');
      frontier = step.frontier;
    }
  } finally {
    bar.close();
  }
  return frontier!;
}

export function readerLines(log: Log, results: readonly NextReadResult[]): string[] {
  return [
    `${inDigits(log.length)} views, ${results[0]!.questions} of them predicted`,
    '',
    ...table(
      ['RANKING', 'HR@20', 'MRR@20', 'P50 MS', 'P99 MS'],
      results.map(({ name, hitRate, reciprocal, p50, p99 }) => [
        name,
        ...[hitRate, reciprocal, p50, p99].map((value) => value.toFixed(3)),
      ]),
    ),
  ];
}
