// How well the next read of a reader is predicted, on the seeded readers of the demo newspaper or on a real log:
//   npm run bench behaviour                                              three weeks of the newspaper
//   npm run bench behaviour -- --log clicks.csv [--posts posts.jsonl]    a log with the columns time, visitor, post
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Article, openEdition } from '../demo/edition.ts';
import { dayOf } from '../demo/world/calendar.ts';
import { createWorld } from '../demo/world/sessions.ts';
import { readLog } from '../server/cli/evaluate/readLog.ts';
import { parseArticleSet } from '../server/evaluation/articleSet.ts';
import { indexOf } from '../server/evaluation/evaluate.ts';
import { evaluateNextRead, type NextReadResult } from '../server/evaluation/nextRead.ts';
import { rankingsOfReaders } from '../server/evaluation/predictors.ts';
import { type Log, ReadingLog } from '../server/evaluation/readingLog.ts';
import type { IndexedPost } from '../server/textindex/catalogue.ts';
import { addDays } from '../server/traffic/zone.ts';
import type { Bench } from './support/table.ts';

/** The last day of the newspaper that is read. */
const LAST_DAY = '2026-05-31';
const DAYS = 21;
/** Questions asked at most. */
const QUESTIONS = 10_000;

interface Readers {
  log: Log;
  posts: IndexedPost[];
  about: string;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { log: { type: 'string' }, posts: { type: 'string' } } });
  const { log, posts, about } = values.log === undefined ? newspaper() : await fromFiles(values.log, values.posts);
  const rankings = rankingsOfReaders(posts.length > 0 ? indexOf(posts) : undefined);
  let results: NextReadResult[] = [];
  const options = { log, clock: () => performance.now(), most: QUESTIONS };
  for (const step of evaluateNextRead(rankings, options)) results = step.results ?? [];
  return {
    title: 'What readers read next',
    columns: ['Ranking', 'HR@20', 'MRR@20', 'p50, ms', 'p99, ms'],
    rows: results.map(({ name, hitRate, reciprocal, p50, p99 }) => [
      name,
      ...[hitRate, reciprocal, p50, p99].map((value) => value.toFixed(3)),
    ]),
    notes: [
      about,
      `${results[0]?.questions ?? 0} views predicted, each from what its session read before it, in order of time; the first half of the log is learned unasked.`,
    ],
  };
};

export default bench;

function newspaper(): Readers {
  const articles = openEdition(Date.parse(`${LAST_DAY}T12:00:00Z`));
  const world = createWorld({ articles, seed: 'bench' });
  const log = new ReadingLog();
  for (let day = addDays(LAST_DAY, 1 - DAYS); day <= LAST_DAY; day = addDays(day, 1)) {
    for (const { reader, views } of world.sessionsOf(day)) {
      for (const { article, time } of views) {
        if (article) log.add({ time, visitor: reader.visitor, post: article.slug });
      }
    }
  }
  const about = `The demo newspaper's seeded readers, ${DAYS} days to ${dayOf(Date.parse(LAST_DAY), 'UTC')}, ${log.length} views of articles.`;
  return { log: log.inOrder(), posts: articles.map(toPost), about };
}

function toPost({ slug, title, body, section, authors, tags, published }: Article): IndexedPost {
  return { url: slug, title, fullContent: body, section, authors, tags, pubDate: published, listed: true };
}

async function fromFiles(file: string, postsFile: string | undefined): Promise<Readers> {
  const log = await readLog(file);
  const posts = postsFile === undefined ? [] : parseArticleSet(readText(postsFile), '').posts;
  return { log, posts, about: `${basename(file)}: ${log.length} views.` };
}

function readText(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
