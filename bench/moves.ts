// An installation grows while readers come: from a folder to a ClickHouse server, to a cluster of two shards, to one of three, in one
// process that serves all the while. How long each move takes, how long new events wait, whether every answer about closed days stays the
// same, whether each question of the agreement suite is answered as a count by hand says (before, during and after each move), and
// whether every event is counted once. `--events 5000000` for a larger one.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY } from '../server/durations.ts';
import type { LiveMoveReport } from '../server/storage/liveMove.ts';
import { dayOf } from '../server/traffic/zone.ts';
import { askAll, askWhile, fillWorlds, type ServedWorlds } from '../test/support/agreement/served.ts';
import { type ClickHouse, startClickHouse, startCluster } from '../test/support/clickhouse.ts';
import { runCommand } from '../test/support/command.ts';
import { makeDataDir, removeDataDirs } from '../test/support/dataDir.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../test/support/server.ts';
import { fill } from './support/fill.ts';
import { type Load, type LoadSample, startLoad } from './support/load.ts';
import type { Bench } from './support/table.ts';

const SITE = 'bench.example';
const DAYS = 60;
const POSTS = 2_000;
const VISITORS = 100_000;
const BATCH = 10;
/** Of the agreement suite: small sites with everything that can happen on one. */
const WORLDS = 4;

/** Asked before and after each move. Each about days that nothing comes to any more. */
const QUESTIONS = [
  ...['views', 'visitors', 'visitors_new', 'avg_engaged', 'recirculation_rate', 'social_referrals'].flatMap((sort) =>
    ['posts', 'sections', 'authors', 'tags'].map((list) => `/v2/analytics/${list}?sort=${sort}&limit=50`),
  ),
  ...['social', 'search', 'other', 'internal'].map((type) => `/v2/referrers/${type}?limit=50`),
  `/v2/analytics/post/detail?url=https://${SITE}/articles/0`,
];

interface Step {
  name: string;
  seconds: number;
  report: LiveMoveReport;
  sample: LoadSample;
  /** Of the questions, how many are answered as before. */
  same: number;
  /** Of the agreement suite: questions asked before, during and after the move, and those answered otherwise than counted. */
  agreement: { asked: number; wrong: number };
  loads: string;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { events: { type: 'string', default: '500000' }, rate: { type: 'string', default: '100' } },
  });
  const [events, rate] = [Number(values.events), Number(values.rate)];
  const say = createProgress();
  const now = Date.now();
  const dataDir = makeDataDir();
  const engine = { kind: 'embedded', path: join(dataDir, 'engine') } as const;
  await fill({ engine, site: SITE, now: now - DAY, events, days: DAYS, posts: POSTS, visitors: VISITORS });
  const worlds = await fillWorlds(engine, { worlds: WORLDS });
  say(`${events} events and ${WORLDS} worlds of the agreement suite are filled in`);
  // Records name the pictures of posts as they were written.
  const server = await startServer({ dataDir, flags: ['--thumbnails=no'] });
  const site = await addSite(server, SITE);
  const ask = () => Promise.all(QUESTIONS.map((path) => answerOf(server, site, { path, now })));
  const before = await ask();
  const refused = before.find((answer) => !answer.includes('"success":true'));
  if (refused !== undefined) throw new Error(`A question is not answered: ${refused}`);
  const load = await startLoad({
    url: server.url,
    site: SITE,
    ask: 'events',
    perSecond: rate / BATCH,
    batch: BATCH,
    pages: POSTS,
  });
  const steps: Step[] = [];
  let used: ClickHouse[] = [];
  for (const [name, shards] of [
    ['folder to server', 0],
    ['server to two shards', 2],
    ['two shards to three', 3],
  ] as const) {
    const target = await startTarget(shards);
    const moved = await agreeingMove(worlds, target.flags, { server, load });
    const after = await ask();
    const same = after.filter((answer, at) => answer === before[at]).length;
    steps.push({ name, same, ...moved, loads: loadavg()[0]!.toFixed(1) });
    say(`${name}: ${moved.seconds.toFixed(0)} s, ${same} of ${QUESTIONS.length} answers as before, ${inWords(moved)}`);
    await Promise.all(used.map((node) => node.kill()));
    used = target.nodes;
  }
  const totals = await load.stop();
  await allStored(server);
  await requireAllCounted({ server, site, node: used[0]!, events, totals, since: now });
  say('each event is stored and counted once');
  await server.stop();
  await Promise.all(used.map((node) => node.kill()));
  await removeDataDirs();
  return tableOf(steps, { events, rate, totals });
};

export default bench;

function createProgress(): (line: string) => void {
  const start = performance.now();
  return (line) => console.log(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${line}`);
}

/** Moves while questions of the agreement suite are asked, before and after, too. Each answer that is wrong is printed. */
async function agreeingMove(
  worlds: ServedWorlds,
  flags: readonly string[],
  around: { server: TestServer; load: Load },
) {
  const before = await askAll(worlds, around.server);
  const { result, asked, problems } = await askWhile(worlds, around.server, () => moveTo(flags, around));
  const wrong = [...before, ...problems, ...(await askAll(worlds, around.server))];
  for (const problem of wrong) console.error(problem);
  if (wrong.length > 0)
    for (const line of around.server.log()) if (line.level === 'error') console.error(JSON.stringify(line));
  return { ...result, agreement: { asked: asked + 2 * worlds.questions.length, wrong: wrong.length } };
}

const inWords = ({ agreement: { asked, wrong } }: Pick<Step, 'agreement'>) =>
  `${asked - wrong} of ${asked} questions answered as counted by hand`;

/** @throws where an event that was filled in or acknowledged is lost or doubled, in the tables or in the answers. */
async function requireAllCounted({
  server,
  site,
  node,
  events,
  totals,
  since,
}: {
  server: TestServer;
  site: TestSite;
  node: ClickHouse;
  events: number;
  totals: LoadSample;
  since: number;
}): Promise<void> {
  const [stored, keys] = (
    await node.ask(`SELECT count(), uniqExactIf(key, key != 0) FROM events WHERE site = '${SITE}'`)
  )
    .split('\t')
    .map(Number);
  if (stored !== events + totals.events || keys !== totals.events)
    throw new Error(
      `${events} events were filled in and ${totals.events} acknowledged: ${stored} are stored, ${keys} of them different ones that were sent.`,
    );
  const asked = new URL('/v2/analytics/sections', server.url);
  const { apikey, secret } = site;
  const params = { apikey, secret, period_start: new Date(since).toISOString(), limit: '2000' };
  for (const [name, value] of Object.entries(params)) asked.searchParams.set(name, value);
  const { data } = (await (await fetch(asked)).json()) as { data: { _hits: number }[] };
  const views = data.reduce((sum, { _hits }) => sum + _hits, 0);
  if (views !== totals.views)
    throw new Error(`${totals.views} page views were acknowledged, and /analytics/sections has ${views}.`);
}

const flagsOf = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

async function startTarget(shards: number): Promise<{ nodes: ClickHouse[]; flags: string[] }> {
  if (shards === 0) {
    const node = await startClickHouse(makeDataDir());
    return { nodes: [node], flags: flagsOf({ to: node.url }) };
  }
  const { nodes, name } = await startCluster(Array.from({ length: shards }, makeDataDir));
  return { nodes, flags: flagsOf({ to: nodes.map(({ url }) => url).join(), cluster: name }) };
}

async function moveTo(flags: readonly string[], { server, load }: { server: TestServer; load: Load }) {
  await load.look();
  const start = performance.now();
  const { code, stdout, stderr } = await runCommand([
    'move',
    ...flags,
    ...flagsOf({ data: server.dataDir }),
    `--${'json'}`,
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(stderr);
  return { seconds, report: JSON.parse(stdout) as LiveMoveReport, sample: await load.look() };
}

async function answerOf(
  { url }: TestServer,
  { apikey, secret }: TestSite,
  { path, now }: { path: string; now: number },
): Promise<string> {
  const asked = new URL(path, url);
  const [from, to] = [now - 40 * DAY, now - 3 * DAY].map((time) => dayOf(time, 'UTC'));
  for (const [name, value] of Object.entries({ apikey, secret, period_start: from!, period_end: to! }))
    asked.searchParams.set(name, value);
  return await (await fetch(asked)).text();
}

function tableOf(
  steps: readonly Step[],
  { events, rate, totals }: { events: number; rate: number; totals: LoadSample },
) {
  const { refused, failed, heldBack } = totals;
  const number = (value: number) => value.toLocaleString('en');
  return {
    title: `${number(events)} events move while ${rate} a second come`,
    columns: [
      'move',
      'minutes',
      'rows that came meanwhile',
      'new events waited',
      'events answered in, p50 / p99',
      'answers as before',
      'as counted by hand, before, during and after',
      'load of the machine',
    ],
    rows: steps.map(({ name, seconds, report, sample, same, agreement, loads }) => [
      name,
      (seconds / 60).toFixed(1),
      number(report.later),
      `${(report.waited / 1000).toFixed(1)} s`,
      `${sample.p50} / ${sample.p99} ms`,
      `${same} of ${QUESTIONS.length}`,
      `${number(agreement.asked - agreement.wrong)} of ${number(agreement.asked)}`,
      loads,
    ]),
    notes: [
      `${POSTS} posts, ${number(VISITORS)} visitors, ${DAYS} days. One server process all the while; it, the ClickHouse servers and the sender of events share the cores with whatever else runs (load: processes that ran or waited, the minute before each move ended).`,
      `${number(totals.events)} events acknowledged meanwhile (${refused} requests refused, ${failed} failed, ${heldBack} held back by the sender); each is stored once beside the ${number(events)}, and /analytics/sections has each of the ${number(totals.views)} page views among them.`,
      `Answers: lists of posts, sections, authors and tags in six orders, four lists of referrers and one post, over 37 closed days, byte for byte. As counted by hand: every kind of question of the agreement suite, of ${WORLDS} small sites, compared field by field. New events waited: acknowledged from the write-ahead log, and not in lists yet.`,
    ],
  };
}
