// A cluster of two ClickHouse servers, each a shard, and two copies of the server beside each other.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClusterEngine } from '../../server/storage/cluster.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { VERSION } from '../../server/storage/schema/schema.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { laterSchema } from '../storage/laterSchema.ts';
import { silent } from '../storage/scratch.ts';
import { BROWSER } from '../support/beacons.ts';
import { type ClickHouse, type Cluster, startCluster } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { emptyDatabases, expectRemembered, harbour, openSite, readAround, view } from './journey.ts';

let cluster: Cluster;
let flags: string[];
const servers: TestServer[] = [];

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  const urls = cluster.nodes.map(({ url }) => url).join();
  flags = ['--clickhouse-url', urls, '--clickhouse-cluster', cluster.name];
});
beforeEach(() => emptyDatabases(cluster.nodes));
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(async () => {
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

async function startCopy(): Promise<TestServer> {
  const server = await startServer({ flags });
  servers.push(server);
  return server;
}

const onEach = (sql: string) => Promise.all(cluster.nodes.map((node) => node.ask(sql)));

test('a site is made, read and listed, another copy of the server knows all of it, and each shard has its part', async () => {
  const first = await startCopy();
  const site = await openSite(first);
  await readAround(first, site);
  // A filter that no post passes, beside a host that no view came from, asked again and again.
  const { apikey, secret } = site;
  const none = { apikey, secret, tag: 'unknown', domain: 'www.facebook.com' };
  for (let times = 0; times < 3; times++)
    expect(await getJson(first, '/v2/referrers/social', none)).toMatchObject({ data: [], success: true });
  // Yesterday's salt is erased on every shard when its day is over.
  await onEach('SYSTEM STOP TTL MERGES salts_local');
  await onEach(`INSERT INTO salts_local VALUES (yesterday(), 'of yesterday')`);
  const second = await startCopy();
  await expectRemembered(second, site);
  await expectForgotten(first, 'somebody');
  await until('the salt of yesterday is erased', async () => {
    const left = await onEach('SELECT count() FROM salts_local WHERE day < today()');
    return left.join() === '0,0';
  });
  for (const copy of servers) expect(copy.log().filter(({ msg }) => String(msg).includes('salt'))).toEqual([]);

  // Old events leave each shard, and what one copy took counts for the other.
  const old = (shard: number) =>
    `INSERT INTO events_local (site, day, time, action, url, visitor) SELECT '${site.apikey}', today() - 20, toUnixTimestamp(today() - 20) * 1000, 'pageview', concat('https://journey.example/old-', toString(number + ${shard * 100})), number + 1 FROM numbers(10)`;
  await Promise.all(cluster.nodes.map((node, shard) => node.ask(old(shard))));
  const quotas = ['--keep-events', '10', '--max-events-per-day', '60'];
  expect(await runCommand(['site', 'change', site.apikey, ...quotas, '--data', first.dataDir])).toMatchObject({
    code: 0,
  });

  // An article written through one copy is recommended by the other within seconds.
  const metadata = {
    canonical_url: 'https://journey.example/buoy',
    title: 'New buoys for the harbour ferry',
    full_content: 'The ferry pier of the harbour gets new buoys, the harbour master says; boats and passengers wait.',
  };
  await postJson(second, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  await until('the other copy recommends it', async () => {
    const params = { apikey: site.apikey, url: harbour };
    const { data } = await getJson<{ data: { url: string }[] }>(first, '/v2/related', params);
    return data.some(({ url }) => url === metadata.canonical_url);
  });

  // Every server has the same schema, and its part of the rows.
  const [here, there] = await onEach(
    `SELECT groupArray((name, engine)) FROM (SELECT name, engine FROM system.tables WHERE database = 'afterword' ORDER BY name)`,
  );
  expect(here).toBe(there);
  const articles = Array.from({ length: 40 }, (_, article) => `https://journey.example/${article}`);
  await Promise.all(articles.map((url) => view(first, url)));
  await allStored(first);
  for (const table of ['events_local', 'post_days_local']) {
    const parts = (await onEach(`SELECT uniqExact(post) FROM ${table} WHERE day > today() - 9`)).map(Number);
    for (const part of parts) expect(part).toBeGreaterThan(5);
    // A page is on one shard: together they have each once.
    expect(parts.reduce((sum, part) => sum + part)).toBe(43);
  }

  for (const table of ['events', 'post_visitors', 'facet_visitors', 'post_visitor_weeks']) {
    const day = table === 'post_visitor_weeks' ? 'week' : 'day';
    const left = () => onEach(`SELECT count() FROM ${table}_local WHERE ${day} < today() - 16`);
    await until(`old ${table} are removed`, async () => (await left()).join() === '0,0');
  }
  expect((await onEach('SELECT sum(views) FROM post_days_local WHERE day < today() - 16')).map(Number)).toEqual([
    10, 10,
  ]);
  expect(await view(first, harbour, 30)).toBe(true);
  await until('the other copy refuses what is beyond', async () => !(await view(second, harbour)));

  // A site made through one copy is known to the other, and when it is removed nothing is left on any shard.
  const other = await addSite(first, 'other.example');
  await until('the other copy knows the site', async () => {
    const answer = await fetch(`${second.url}/v2/top/posts?apikey=${other.apikey}`);
    return (await answer.text()).includes('"success":true');
  });
  const { code } = await runCommand(['site', 'remove', site.apikey, '--yes', '--data', first.dataDir]);
  expect(code).toBe(0);
  for (const table of ['events', 'post_days', 'posts', 'aliases', 'sites', 'post_visitors', 'profile_visits']) {
    const left = await onEach(`SELECT count() FROM ${table}_local WHERE site = '${site.apikey}'`);
    expect(left, table).toEqual(['0', '0']);
  }

  // Events that another copy stored meanwhile are counted on all shards, and go.
  const late = await onEach(
    `INSERT INTO events (site, day, time, action, url) SELECT '${site.apikey}', today(), toUnixTimestamp(now()) * 1000, 'pageview', concat('https://journey.example/', toString(number)) FROM numbers(20) SETTINGS distributed_foreground_insert = 1`,
  );
  const events = ['site', 'size', site.apikey, '--json', '--data', first.dataDir];
  const { stdout } = await runCommand(events);
  expect(JSON.parse(stdout).tables).toContainEqual({
    table: 'events',
    rows: 20 * late.length,
    bytes: expect.any(Number),
  });
  const purged = await runCommand(['site', 'remove', site.apikey, '--purge', '--yes', '--data', first.dataDir]);
  expect(purged).toMatchObject({ code: 0, stdout: expect.stringContaining('is removed:') });
  expect(await onEach(`SELECT count() FROM events_local WHERE site = '${site.apikey}'`)).toEqual(['0', '0']);
  expect(await runCommand(events)).toMatchObject({ code: 1 });
});

/** A visitor is in the sketches of every shard, and in none once it is erased. */
async function expectForgotten(server: TestServer, u: string): Promise<void> {
  const ofVisitors = ['visitor) FROM events WHERE visitor != 0', 'visitor) FROM visitors'];
  const sketched = ['post_visitors', 'post_visitor_weeks', 'facet_visitors'];
  const counts = async () =>
    await Promise.all([
      ...ofVisitors.map((of) => cluster.nodes[0]!.ask(`SELECT uniqExact(${of}`)),
      ...sketched.map((table) => cluster.nodes[0]!.ask(`SELECT uniqCombinedMerge(16)(visitors) FROM ${table}`)),
    ]);
  const before = await counts();
  const event = {
    idsite: 'journey.example',
    action: 'pageview',
    url: 'https://journey.example/amp/harbour?utm_source=mail',
    u,
  };
  const init = { method: 'POST', body: JSON.stringify({ events: [event] }), headers: { 'User-Agent': BROWSER } };
  expect((await fetch(`${server.url}/events`, init)).status).toBe(200);
  await allStored(server);
  const one = String(Number(before[0]) + 1);
  expect((await counts()).slice(0, 4)).toEqual([one, one, one, one]);
  const { stdout } = await runCommand(['forget', '--visitor', u, '--json', '--data', server.dataDir]);
  expect(JSON.parse(stdout)).toEqual([{ apikey: 'journey.example', events: 1, visits: 0 }]);
  expect(await counts()).toEqual(before);
}

test('months that are older than the tables keep them leave every shard', async () => {
  const dataDir = makeDataDir();
  expect(await runCommand(['migrate', ...flags, '--data', dataDir])).toMatchObject({ code: 0 });
  await onEach(`INSERT INTO events_local (site, day, time, action, url, visitor)
    SELECT 'years.example', today() - number, toUnixTimestamp(today() - number) * 1000, 'pageview', 'https://years.example/', 7
    FROM numbers(800)`);
  await startCopy();
  const month = 'toStartOfMonth(today() - 401)';
  for (const [table, day] of [
    ['events', 'day'],
    ['site_days', 'day'],
    ['post_visitor_weeks', 'week'],
  ]) {
    await until(`old rows have left ${table}`, async () => {
      const left = await onEach(`SELECT countIf(${day} < ${month} - 7) FROM ${table}_local`);
      return left.join() === '0,0';
    });
    const kept = await onEach(`SELECT countIf(${day} >= ${month}) > 0 FROM ${table}_local`);
    expect(kept).toEqual(['1', '1']);
  }
});

test('addresses that do not lead to the whole cluster are refused, and the missing server is named', async () => {
  const [node] = cluster.nodes as [ClickHouse, ClickHouse];
  const one = ['serve', '--port', '0', '--data', makeDataDir(), '--clickhouse-url', node.url];
  const half = await runCommand([...one, '--clickhouse-cluster', cluster.name]);
  expect(half).toMatchObject({ code: 1, stderr: expect.stringMatching(/has servers that no URL leads to: .+:\d+/) });
  const unknown = await runCommand([...one, '--clickhouse-cluster', 'nowhere']);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') });
});

test('an upgrade runs once on every server, and continues where one of them was away', async () => {
  const urls = cluster.nodes.map(({ url }) => url);
  const engine = await connect({ kind: 'remote', urls, cluster: cluster.name });
  const context = { log: silent, now: () => 0 };
  try {
    await upgrade(engine, context);
    const posts = ['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ site: 'a.example', url: title, title }));
    await engine.insert('posts', posts);
    const [first, second] = engine.cluster!.members;
    const away: Engine = {
      ...second!,
      async command(...statement) {
        if (statement[0].startsWith('ALTER')) throw new Error('the server is away');
        await second!.command(...statement);
      },
    };
    const half = createClusterEngine([first!, away], { cluster: cluster.name, replicated: false });
    await expect(upgrade(half, context, laterSchema)).rejects.toThrow('the server is away');
    for (let time = 0; time < 2; time++) await upgrade(engine, context, laterSchema);
    const versions = 'SELECT groupArray(version) FROM (SELECT version FROM schema_version ORDER BY version)';
    expect(await onEach(versions)).toEqual(Array(2).fill(`[${VERSION},${VERSION + 1},${VERSION + 2}]`));
    expect(await onEach("SELECT count() FROM posts WHERE colour = 'red'")).toEqual(['6', '6']);
    expect(await onEach('SELECT arraySort(groupArray(text)) FROM notes')).toEqual(
      Array(2).fill("['a','b','c','d','e','f']"),
    );
    const [here, there] = await onEach('SELECT count() FROM notes_local');
    expect(Number(here) + Number(there)).toBe(6);
  } finally {
    await engine.close();
  }
});
