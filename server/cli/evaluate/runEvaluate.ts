// What `afterword evaluate` does: reads the named files, ranks, and prints how well each ranking does.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { messageOf } from '../../errors.ts';
import { type ArticleSet, ArticleSetError, parseArticleSet, parseRelated } from '../../evaluation/articleSet.ts';
import { evaluate, indexOf, RANKING_COUNT, type Result } from '../../evaluation/evaluate.ts';
import type { Log } from '../../evaluation/readingLog.ts';
import type { IndexedPost } from '../../textindex/catalogue.ts';
import { CommandError } from '../commandError.ts';
import type { DataFlags } from '../dataCommand.ts';
import { print } from '../output.ts';
import { openProgress } from '../progress.ts';
import { table } from '../table.ts';
import { evaluateMix, evaluateReaders, readerLines } from './evaluateReaders.ts';
import { frontierLines } from './frontierLines.ts';
import { requirePictureName, writePicture } from './frontierPicture.ts';
import { type LogFlags, readLog } from './readLog.ts';

export interface EvaluateFlags extends DataFlags, LogFlags {
  posts?: string;
  related?: string;
  log?: string;
  picture?: string;
}

/** @throws {CommandError} when a file is missing, cannot be read, or is no set of articles or log. */
export async function runEvaluate(flags: EvaluateFlags): Promise<void> {
  if (flags.picture !== undefined && (flags.log === undefined || flags.posts === undefined)) {
    throw new CommandError('--picture draws page and readers: it needs a Site ID, or both --log and --posts.', 2);
  }
  if (flags.log !== undefined) {
    if (flags.picture !== undefined) requirePictureName(flags.picture);
    const log = await orSay(flags.log, readLog(flags.log, flags));
    await evaluateLog(
      flags,
      log,
      flags.posts === undefined ? undefined : await readArticles(flags.posts, flags.related),
    );
    return;
  }
  if (flags.posts === undefined || flags.related === undefined) {
    throw new CommandError('Say what to read: --posts and --related, or --log, or a Site ID.', 2);
  }
  const articles = await readArticles(flags.posts, flags.related);
  const results = runAll(articles);
  print(flags, results, () => lines(articles, results));
}

/** Which of some posts belong together, from a file. Default: none are known. */
export async function readLinks(
  file: string | undefined,
  posts: readonly IndexedPost[],
): Promise<ArticleSet['related']> {
  if (file === undefined) return new Map();
  return parsed(parseRelated, await readText(file), new Map(posts.map(({ url }) => [url, url])));
}

/** @param articles Without the posts of the site, only what readers read next can be predicted from. */
export async function evaluateLog(
  flags: EvaluateFlags & { site?: string },
  log: Log,
  articles: ArticleSet | undefined,
): Promise<void> {
  const index = articles && indexOf(articles.posts);
  const rankings = evaluateReaders(log, index);
  if (!articles || !index) {
    print(flags, rankings, () => readerLines(log, rankings));
    return;
  }
  const frontier = evaluateMix({ log, index, related: articles.related });
  if (flags.picture !== undefined) await writePicture(flags.picture, frontier, flags.site);
  print(flags, { rankings, ...frontier }, () => [
    ...readerLines(log, rankings),
    '',
    ...frontierLines(frontier, flags.site),
  ]);
}

async function readArticles(posts: string, related?: string): Promise<ArticleSet> {
  return parsed(parseArticleSet, await readText(posts), related === undefined ? '' : await readText(related));
}

/** @throws {CommandError} with the words of the parser. */
function parsed<A extends unknown[], T>(parse: (...given: A) => T, ...given: A): T {
  try {
    return parse(...given);
  } catch (error) {
    if (error instanceof ArticleSetError) throw new CommandError(error.message);
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  const unpacked = (bytes: Buffer) => (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return await orSay(file, readFile(file).then(unpacked));
}

function orSay<T>(file: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Cannot read ${file}: ${messageOf(error)}`);
  });
}

function runAll(articles: ArticleSet): Result[] {
  const results: Result[] = [];
  const bar = openProgress({ title: 'Ranking', total: articles.related.size * RANKING_COUNT });
  try {
    for (const { name, done, result } of evaluate(articles, () => performance.now())) {
      bar.update(results.length * articles.related.size + done, name);
      if (result) results.push(result);
    }
  } finally {
    bar.close();
  }
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
