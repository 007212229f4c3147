// /search of a big site over HTTP, beside the same words looked for by the database in the same posts.
// npm run bench search -- --posts 100000
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { SearchIndex } from '../server/search/searchIndex.ts';
import { createLibrary } from '../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../server/siteIndex/types.ts';
import { openDirectory } from '../server/sites/directory.ts';
import { createExclusions } from '../server/sites/exclusions.ts';
import { connect } from '../server/storage/connect.ts';
import type { Engine } from '../server/storage/engine.ts';
import { createExclusionStore } from '../server/storage/exclusions.ts';
import { createPostStore } from '../server/storage/posts.ts';
import { upgrade } from '../server/storage/schema/upgrade.ts';
import { createSiteStore } from '../server/storage/sites.ts';
import { createVectorStore } from '../server/storage/vectors.ts';
import type { IndexedPost } from '../server/textindex/catalogue.ts';
import { PostIndex } from '../server/textindex/postIndex.ts';
import { openRoutes } from '../test/support/routes.ts';
import { generator, grow } from './related/grow.ts';
import { readSite, WOVEN_SITES } from './related/sites.ts';
import { benchSite } from './support/benchSite.ts';
import { GROWN_SITE, savePosts, spread } from './support/grownSite.ts';
import { type Bench, timed } from './support/table.ts';

const QUESTIONS = 1000;
const ASKED_OF_THE_DATABASE = 20;
const ADDED = 2000;
const log = pino({ level: 'warn' });
const now = () => Date.now();

/** One question: what is typed and what else is asked for, and the same as a condition of SQL. */
interface Question {
  query: string;
  more?: string;
  words: string[];
  phrase?: boolean;
  where?: string;
  byDate?: boolean;
}

const bench: Bench = async (args) => {
  const at = args.indexOf('--posts');
  const count = at < 0 ? 100_000 : Number(args[at + 1]);
  const path = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const engine = await connect({ kind: 'embedded', path });
  try {
    await upgrade(engine, { log, now });
    const articles = WOVEN_SITES.flatMap((name) => readSite(name).posts);
    await savePosts({ posts: createPostStore(engine) }, grow(articles, count));
    return await measure(engine, { count, articles });
  } finally {
    await engine.close();
    rmSync(path, { recursive: true, force: true });
  }
};

export default bench;

/** Words as they stand in the posts, the commonest most often, as a text has them. */
function questionsFrom(articles: readonly IndexedPost[]): Record<string, () => Question> {
  const random = generator(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const sentence = () => {
    const words =
      pick(articles)
        .fullContent.toLowerCase()
        .match(/[a-z]+/g) ?? [];
    return words.length > 8 ? words : ['digital', 'service', 'team', 'agency', 'open', 'data'];
  };
  const some = (most: number) => Array.from({ length: most }, () => pick(sentence()));
  const side = (most: number) => {
    const words = sentence();
    const from = Math.floor(random() * (words.length - most));
    return words.slice(from, from + most);
  };
  const section = articles.find((post) => post.section !== '')?.section ?? '';
  return {
    'one word': () => typed(some(1)),
    'three words': () => typed(some(3)),
    'a phrase of two words': () => quoted(side(2)),
    'a phrase of three words': () => quoted(side(3)),
    'three words, a section and two years': () => ({
      ...typed(some(3)),
      more: `&section=${encodeURIComponent(section)}&pub_date_start=2014-01-01&pub_date_end=2015-12-31`,
      where: `AND section = '${section.replaceAll("'", "\\'")}' AND pub_date BETWEEN 1388534400000 AND 1451606399000`,
    }),
    'two words, newest first': () => ({ ...typed(some(2)), more: '&sort=pub_date', byDate: true }),
  };
}

const typed = (words: string[]): Question => ({ query: words.join(' '), words });
const quoted = (words: string[]): Question => ({ query: `"${words.join(' ')}"`, words, phrase: true });

async function measure(
  engine: Engine,
  { count, articles }: { count: number; articles: readonly IndexedPost[] },
): ReturnType<Bench> {
  const library = createLibrary({
    store: { posts: createPostStore(engine), vectors: createVectorStore(engine) },
    now,
    log,
  });
  if (!(await library.ready(GROWN_SITE))) throw new Error('The index was not loaded: its log says why.');
  const { url, close } = await serve(engine, library);
  const rows: string[][] = [];
  for (const [name, make] of Object.entries(questionsFrom(articles))) {
    const ask = async ({ query, more = '' }: Question) => {
      const answer = await fetch(`${url}&q=${encodeURIComponent(query)}${more}`);
      await answer.text();
    };
    await timed(QUESTIONS / 10, () => ask(make()));
    const times = await timed(QUESTIONS, () => ask(make()));
    const database = await timed(ASKED_OF_THE_DATABASE, () => engine.rows(plainSql(make()), { site: GROWN_SITE }));
    rows.push([name, ...spread(times), spread(database)[0]!]);
  }
  await close();
  await library.close();
  return {
    title: `/search at ${count.toLocaleString('en')} posts, ms over HTTP`,
    columns: ['What', 'p50', 'p99', 'max', 'ClickHouse, p50'],
    rows: [...rows, ...addedTo(articles, count)],
    notes: [
      'Posts are woven from the sentences of both article sets, with rare words of their own; words and phrases are taken from their texts at random, "the" as often as they say it.',
      'Beside it: every text read by the engine inside, with hasTokenCaseInsensitive (a phrase: positionCaseInsensitive), no ranking, ten newest.',
    ],
  };
}

/** What the database does without an index of words: reads every text. */
function plainSql({ words, phrase, where = '', byDate = false }: Question): string {
  const text = `concat(title, ' ', full_content)`;
  const conditions = phrase
    ? [`positionCaseInsensitive(${text}, '${words.join(' ')}') > 0`]
    : words.map((word) => `hasTokenCaseInsensitive(${text}, '${word}')`);
  return `SELECT url FROM posts FINAL WHERE site = {site:String} AND ${conditions.join(' AND ')} ${where}
    ${byDate ? 'ORDER BY pub_date DESC' : ''} LIMIT 10`;
}

/** What the index costs beside the one of recommendations. */
function addedTo(articles: readonly IndexedPost[], count: number): string[][] {
  const index = new PostIndex();
  const searching = new SearchIndex(index);
  const spent: number[] = [];
  index.follower = {
    put(number, post) {
      const start = performance.now();
      searching.put(number, post);
      spent.push(performance.now() - start);
    },
    restorePost: (number, post) => searching.restorePost(number, post),
    remove: (number) => searching.remove(number),
  };
  for (const post of grow(articles, count)) index.put(post, { deferred: true });
  return [
    ['adding a post to the index', ...spread(spent.slice(-ADDED)), ''],
    ['memory of the index of words, MB', (searching.bytes / 1e6).toFixed(0), '', '', ''],
  ];
}

async function serve(engine: Engine, library: LoadedLibrary): Promise<{ url: string; close(): Promise<void> }> {
  const sites = await openDirectory(createSiteStore(engine), now);
  await sites.add(benchSite(GROWN_SITE, now()));
  const exclusions = createExclusions({ store: createExclusionStore(engine), now });
  const settings = { publicUrl: undefined, trustedProxies: 0, widgetDir: '' };
  const app = openRoutes({ sites, library, exclusions, settings, now }, '/v2/search');
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v2/search?apikey=${GROWN_SITE}`,
    close: () => new Promise((closed) => void server.close(() => closed()).closeAllConnections()),
  };
}
