// What `afterword evaluate` does: reads the named files, ranks, and prints how well each ranking does.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { type ArticleSet, ArticleSetError, parseArticleSet } from '../../evaluation/articleSet.ts';
import { evaluate, RANKING_COUNT, type Result } from '../../evaluation/evaluate.ts';
import { CommandError } from '../commandError.ts';
import { print, table } from '../output.ts';
import { openProgress } from '../progress.ts';
import { evaluateReaders, readerLines } from './evaluateReaders.ts';
import { readLog } from './readLog.ts';

export interface EvaluateFlags {
  posts?: string;
  related?: string;
  log?: string;
  json?: boolean;
}

/** @throws {CommandError} when a file is missing, cannot be read, or is no set of articles or log. */
export async function runEvaluate(flags: EvaluateFlags): Promise<void> {
  if (flags.log !== undefined) {
    const log = await orSay(flags.log, readLog(flags.log));
    const posts = flags.posts === undefined ? [] : (await readArticles(flags.posts)).posts;
    const results = evaluateReaders(log, posts);
    print(flags, results, () => readerLines(log, results));
    return;
  }
  if (flags.posts === undefined || flags.related === undefined) {
    throw new CommandError('Say what to read: --posts and --related, or --log.', 2);
  }
  const articles = await readArticles(flags.posts, flags.related);
  const results = runAll(articles);
  print(flags, results, () => lines(articles, results));
}

async function readArticles(posts: string, related?: string): Promise<ArticleSet> {
  try {
    return parseArticleSet(await readText(posts), related === undefined ? '' : await readText(related));
  } catch (error) {
    if (error instanceof ArticleSetError) throw new CommandError(error.message);
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  const bytes = await orSay(file, readFile(file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function orSay<T>(file: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw new CommandError(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

function runAll(articles: ArticleSet): Result[] {
  const results: Result[] = [];
  const bar = openProgress({ title: 'Ranking', total: articles.related.size * RANKING_COUNT });
  for (const { name, done, result } of evaluate(articles, () => performance.now())) {
    bar.update(results.length * articles.related.size + done, name);
    if (result) results.push(result);
  }
  bar.close();
  return results;
}

function lines(articles: ArticleSet, results: readonly Result[]): string[] {
  const share = (value: number) => value.toFixed(3);
  return [
    `${articles.posts.length} posts, ${articles.related.size} questions`,
    '',
    ...table(
      ['RANKING', 'NDCG@10', 'P@10', 'MRR@20', 'RECALL@20', 'COVERAGE', 'MS'],
      results.map((one) => [
        one.name,
        ...[one.ndcg, one.precision, one.reciprocal, one.recall, one.coverage].map(share),
        one.latency.toFixed(2),
      ]),
    ),
  ];
}
