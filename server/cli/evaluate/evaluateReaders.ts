// `afterword evaluate --log`: how well it is foretold what readers read next, on a log of one's own.
import { indexOf } from '../../evaluation/evaluate.ts';
import { rankingsOfReaders } from '../../evaluation/foretellers.ts';
import { evaluateNextRead, type NextReadResult } from '../../evaluation/nextRead.ts';
import type { Reading } from '../../readers/behaviour/behaviour.ts';
import type { IndexedPost } from '../../textindex/catalogue.ts';
import { CommandError } from '../commandError.ts';
import { table } from '../output.ts';
import { openProgress } from '../progress.ts';

/** @throws {CommandError} when there is nothing in the log that could be foretold. */
export function evaluateReaders(log: readonly Reading[], posts: readonly IndexedPost[]): NextReadResult[] {
  const rankings = rankingsOfReaders(posts.length > 0 ? indexOf(posts) : undefined);
  const bar = openProgress({ title: 'Reading', total: log.length });
  let results: NextReadResult[] = [];
  for (const step of evaluateNextRead(rankings, { log, clock: () => performance.now() })) {
    bar.update(step.done, 'views');
    results = step.results ?? [];
  }
  bar.close();
  if (!results.some(({ questions }) => questions > 0)) {
    throw new CommandError('The second half of this log has no session with two posts: nothing to predict.');
  }
  return results;
}

export function readerLines(log: readonly Reading[], results: readonly NextReadResult[]): string[] {
  return [
    `${log.length} views, ${results[0]!.questions} of them foretold`,
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
