// A database moves while its server serves: from a folder to a ClickHouse server, and on to a cluster of it and another, as a larger cluster
// on the servers of a smaller one would. Readers come all the while, and send again what is not acknowledged; each of their views counts
// once, whatever is killed on the way. Each kind of question about another site, which nothing comes to, is answered before, during and
// after each move as a count by hand says.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../server/durations.ts';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { move } from '../../server/storage/move.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { addDays, dayOf } from '../../server/traffic/zone.ts';
import { askAll, askWhile, fillWorlds } from '../support/agreement/served.ts';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { emptyDatabases, expectRemembered, openSite, readAround } from './journey.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const PAGES = 20;

let cluster: Cluster;
let server: TestServer;
let home: string;
let stopped = false;

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
});
afterAll(async () => {
  stopped = true;
  await server?.stop();
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

const singleUrl = () => cluster.nodes[0]!.url.replace(/\w+$/, 'alone');
const clusterUrls = () => cluster.nodes.map(({ url }) => url).join();
/** Records name pictures as they were written. */
const PLAIN = ['--thumbnails', 'no'];
const onServer = () => [...PLAIN, '--clickhouse-url', singleUrl()];
const onCluster = () => [...PLAIN, '--clickhouse-url', clusterUrls(), '--clickhouse-cluster', cluster.name];
const toServer = () => ['move', '--to', singleUrl()];
const toCluster = () => ['move', '--to', clusterUrls(), '--cluster', cluster.name];
const here = (words: readonly string[]) => runCommand([...words, '--data', home]);

/** Between two readers: each view is an insert of its own, which takes a tenth of a second of the processor. */
const PAUSE_MS = 1_000;

/** One reader after another; each view is sent until it is acknowledged. */
async function read(): Promise<number> {
  for (let n = 0; ; n++) {
    if (stopped) return n;
    const url = `https://journey.example/a${n % PAGES}`;
    const event = { idsite: 'journey.example', action: 'pageview', url, eid: crypto.randomUUID(), u: `reader-${n}` };
    const init = { method: 'POST', body: JSON.stringify({ events: [event] }), headers: { 'User-Agent': BROWSER } };
    const sent = () =>
      fetch(`${server.url}/events`, init).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await sent())) await sleep(20);
    await sleep(PAUSE_MS);
  }
}

const numberOf = async (sql: string) => Number(await cluster.nodes[0]!.ask(`SELECT ${sql}`).catch(() => 0));

/** Kills the server as soon as so many steps of a move are done, and starts it again. */
async function killedAt(
  step: string,
  steps: number,
  { words, database, flags }: { words: string[]; database: string; flags: string[] },
) {
  const { child, ended, output } = await startCommand([...words, '--data', home]);
  await until(`${steps} × ${step}`, async () => {
    if ((await numberOf(`count() FROM ${database}.unfinished_move WHERE step = '${step}'`)) >= steps) return true;
    if (child.exitCode !== null) throw new Error(`The move is over: ${output.stdout}${output.stderr}`);
    return false;
  });
  await server.kill();
  expect(await ended).toBe(1);
  expect(output.stderr).toContain('the same command continues');
  server = await startServer({ dataDir: home, flags });
}

test('a folder moves to a server and on to a cluster while readers come, and whatever is killed continues', async () => {
  await emptyDatabases(cluster.nodes);
  for (const sql of ['DROP DATABASE IF EXISTS alone SYNC', 'CREATE DATABASE alone']) await cluster.nodes[0]!.ask(sql);
  stopped = false;
  home = makeDataDir();
  const engine = join(home, 'engine');
  await copyEmptyDatabase(engine);
  const counted = await fillWorlds({ kind: 'embedded', path: engine }, { worlds: 1, days: 40 });
  server = await startServer({ dataDir: home, flags: PLAIN });
  expect(await askAll(counted, server)).toEqual([]);
  const site = await openSite(server);
  await readAround(server, site);
  const reading = read();

  await killedAt('copied', 4, { words: toServer(), database: 'alone', flags: PLAIN });
  // A copy keeps the rows it has: nothing is erased before it is over.
  for (const words of [
    ['site', 'remove', site.apikey, '--yes'],
    ['forget', '--visitor', 'reader-1'],
  ]) {
    expect(await here(words), words.join(' ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A move of this database has begun'),
    });
  }
  // Given up, it is as if there had been none; the next one begins anew.
  expect(await here(['move', '--cancel'])).toMatchObject({ code: 0, stdout: expect.stringContaining('is given up') });
  expect(await here(['forget', '--visitor', 'nobody'])).toMatchObject({ code: 0 });
  const { result: moved, problems } = await askWhile(counted, server, () => here(toServer()));
  expect(problems).toEqual([]);
  expect(await askAll(counted, server)).toEqual([]);
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/events +\d+/) });
  expect(moved.stdout).toContain('The server uses the new database now.');
  const before = await numberOf('count() FROM alone.events');
  await until(
    'the same process writes to the new database',
    async () => (await numberOf('count() FROM alone.events')) > before,
  );
  // Another server can use it from now on: commands and copies find this one by its heartbeat.
  const beats = 'count() FROM alone.copies FINAL WHERE NOT gone AND seen_at > now64(3) - INTERVAL 12 SECOND';
  await until('the same process stores its heartbeat there', async () => (await numberOf(beats)) === 1);
  expect((await here(toServer())).stderr).toContain('is not empty');

  await server.stop();
  const forgotten = await runCommand(['serve', '--port', '0', '--data', home]);
  expect(forgotten).toMatchObject({ code: 1, stderr: expect.stringContaining('set AFTERWORD_CLICKHOUSE_URL') });
  server = await startServer({ dataDir: home, flags: onServer() });

  await killedAt('applied', 1, { words: toCluster(), database: 'afterword', flags: onServer() });
  expect(await askAll(counted, server)).toEqual([]);
  const { result: grown, problems: later } = await askWhile(counted, server, () => here([...toCluster(), '--json']));
  expect(later).toEqual([]);
  expect(await askAll(counted, server)).toEqual([]);
  expect(grown.stderr).not.toContain('error');
  expect(JSON.parse(grown.stdout).later).toBeGreaterThan(0);
  await server.stop();
  const old = await runCommand(['serve', '--port', '0', '--data', home, ...onServer()]);
  expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('was moved to 127.0.0.1:') });
  server = await startServer({ dataDir: home, flags: onCluster() });

  stopped = true;
  const sent = await reading;
  await allStored(server);
  expect(await numberOf(`count() FROM events WHERE match(url, '/a\\d+$')`)).toBe(sent);
  const ofSite = "WHERE site = 'journey.example'";
  expect(await numberOf(`sum(views) FROM post_days ${ofSite}`)).toBe(sent + 6);
  expect(await numberOf(`uniqExact(visitor) FROM events ${ofSite}`)).toBe(sent + 6);
  await expectRemembered(server, site);
});

test('a move that begins while old rows are removed waits until they have left, and can be stopped meanwhile', async () => {
  const [node] = cluster.nodes;
  for (const name of ['removing', 'removed'])
    for (const sql of [`DROP DATABASE IF EXISTS ${name} SYNC`, `CREATE DATABASE ${name}`]) await node!.ask(sql);
  const [from, to] = ['removing', 'removed'].map((name) => node!.url.replace(/\w+$/, name)) as [string, string];
  const server = await startServer({ flags: ['--clickhouse-url', from] });
  try {
    await addSite(server, 'removing.example');
    const events = ['old', 'new'].map((name) => ({
      ...{ idsite: 'removing.example', action: 'pageview', url: `https://removing.example/${name}`, u: name },
    }));
    const init = { method: 'POST', body: JSON.stringify({ events }), headers: { 'User-Agent': BROWSER } };
    expect((await fetch(`${server.url}/events`, init)).status).toBe(200);
    await allStored(server);
    // As the removal of old events leaves it: the statement is answered, and the rows leave later.
    await node!.ask('SYSTEM STOP MERGES removing.events');
    await node!.ask("ALTER TABLE removing.events DELETE WHERE url LIKE '%/old' SETTINGS mutations_sync = 0");

    const words = ['move', '--to', to, '--data', server.dataDir];
    const waiting = () => server.log().some(({ msg }) => msg === 'the move waits for rows that are being removed');
    const stopped = await startCommand(words);
    await until('the move waits', waiting);
    stopped.child.kill('SIGINT');
    await stopped.ended;
    await until('it was stopped', () => server.log().some(({ msg }) => String(msg).startsWith('the move was stopped')));

    const moved = await startCommand(words);
    await until('it is tried again', () => server.log().filter(({ msg }) => msg === 'the database is being moved')[1]);
    await node!.ask('SYSTEM START MERGES removing.events');
    expect([await moved.ended, moved.output.stderr]).toMatchObject([0, expect.not.stringContaining('error')]);
    expect(await numberOf('count() FROM removed.events')).toBe(1);
  } finally {
    await node!.ask('SYSTEM START MERGES removing.events');
    await server.stop();
  }
});

test('a move of a database without its server waits for such rows, too', async () => {
  const [node] = cluster.nodes;
  const names = ['leaving', 'arrived'];
  for (const name of names)
    for (const sql of [`DROP DATABASE IF EXISTS ${name} SYNC`, `CREATE DATABASE ${name}`]) await node!.ask(sql);
  const [from, to] = names.map((name) => ({ kind: 'remote' as const, urls: [node!.url.replace(/\w+$/, name)] }));
  const log = pino({ level: 'silent' });
  const now = Date.now;
  const store = await openStore({ engine: from!, log, now });
  const at = { time: now(), day: new Date(now()).toISOString().slice(0, 10) };
  const rows = ['old', 'new'].map((name) => ({
    ...blankRow(parseSiteId('leaving.example')!, `https://leaving.example/${name}`),
    ...at,
  }));
  await store.events.append(rows, 'two events');
  await store.close();
  await node!.ask('SYSTEM STOP MERGES leaving.events');
  await node!.ask("ALTER TABLE leaving.events DELETE WHERE url LIKE '%/old' SETTINGS mutations_sync = 0");
  const notes: string[] = [];
  const moved = move({ from: from!, to: to!, log, now, progress: (_done, _total, note) => notes.push(note) });
  await Promise.race([moved, until('the move waits', () => notes.includes('waiting for rows that are being removed'))]);
  await node!.ask('SYSTEM START MERGES leaving.events');
  await moved;
  expect(await numberOf('count() FROM arrived.events')).toBe(1);
});

test('months that are too old do not leave beside a move, and what is moved is compared whatever its age', async () => {
  const [node] = cluster.nodes;
  const names = ['ageing', 'aged', 'stopped'];
  for (const name of names)
    for (const sql of [`DROP DATABASE IF EXISTS ${name} SYNC`, `CREATE DATABASE ${name}`]) await node!.ask(sql);
  const [from, to, later] = names.map((name) => ({
    kind: 'remote' as const,
    urls: [node!.url.replace(/\w+$/, name)],
  }));
  const log = pino({ level: 'silent' });
  const now = Date.now;
  const today = dayOf(now(), 'UTC');
  const store = await openStore({ engine: from!, log, now });
  const rows = [0, 500].map((age) => ({
    ...blankRow(parseSiteId('ageing.example')!, `https://ageing.example/${age}`),
    ...{ time: now() - age * DAY, day: addDays(today, -age), visitor: '7' },
  }));
  await store.events.append(rows, 'two events');
  let refused: unknown;
  const { rows: moved } = await store.moves.run({
    ...{ to: to!, name: 'aged', signal: new AbortController().signal },
    pause: async () => () => undefined,
    switched: async () => undefined,
    async progress() {
      refused ??= await store.expiry.removeExpired(today).catch((error: unknown) => error);
    },
  });
  expect(refused).toMatchObject({ name: 'MoveUnderWayError' });
  expect(moved).toMatchObject({ events: 2, visitors: 1 });
  await store.close();
  expect(await move({ from: to!, to: later!, log, now })).toMatchObject({ events: 2, site_days: 2 });
  const reopened = await openStore({ engine: later!, log, now });
  expect(await reopened.expiry.removeExpired(today)).toContain('events');
  await reopened.close();
  expect(await numberOf('count() FROM stopped.events')).toBe(1);
});

/** Without an id: the reader is known by address and browser, and the salt of the day. */
async function viewWithoutId({ url }: TestServer): Promise<void> {
  const event = { idsite: 'salted.example', action: 'pageview', url: `https://salted.example/${crypto.randomUUID()}` };
  const headers = { 'User-Agent': BROWSER, 'X-Forwarded-For': '203.0.113.7' };
  const answer = await fetch(`${url}/events`, { method: 'POST', headers, body: JSON.stringify({ events: [event] }) });
  expect(answer.status).toBe(200);
}

test('a reader without an id who came before the move stays one reader, also of a copy that is started after it', async () => {
  await awayFromMidnight();
  const [node] = cluster.nodes;
  for (const sql of ['DROP DATABASE IF EXISTS salted SYNC', 'CREATE DATABASE salted']) await node!.ask(sql);
  const to = node!.url.replace(/\w+$/, 'salted');
  const behindProxy = ['--trusted-proxies', '1'];
  const onServer = [...behindProxy, '--clickhouse-url', to];
  const moved = await startServer({ flags: behindProxy });
  const servers = [moved];
  try {
    await addSite(moved, 'salted.example');
    await viewWithoutId(moved);
    expect(await runCommand(['move', '--to', to, '--data', moved.dataDir])).toMatchObject({ code: 0 });
    servers.push(await startServer({ flags: onServer }));
    for (const server of servers) await viewWithoutId(server);
    await moved.stop();
    servers[0] = await startServer({ flags: onServer, dataDir: moved.dataDir });
    await viewWithoutId(servers[0]);
    await until('all views are stored', async () => (await numberOf('count() FROM salted.events')) === 4);
    expect(await numberOf('uniqExact(visitor) FROM salted.events')).toBe(1);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
});
