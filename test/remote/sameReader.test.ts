// Two copies of the server on one cluster: a reader without an id who is served by both is one reader, and no copy leaves in the
// database what would tell who it was.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;
let copies: TestServer[];

beforeEach(async () => {
  await awayFromMidnight();
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  const urls = cluster.nodes.map(({ url }) => url).join();
  const flags = ['--clickhouse-url', urls, '--clickhouse-cluster', cluster.name, '--trusted-proxies', '1'];
  const first = await startServer({ flags });
  await addSite(first, 'twice.example');
  copies = [first, ...(await Promise.all([startServer({ flags }), startServer({ flags })]))];
});
afterEach(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

const ask = (sql: string) => cluster.nodes[0]!.ask(sql);

test('counts once', async () => {
  for (const { url } of copies) {
    for (const address of ['203.0.113.7', '198.51.100.1']) {
      const event = { idsite: 'twice.example', action: 'pageview', url: 'https://twice.example/' };
      const answer = await fetch(`${url}/events`, {
        method: 'POST',
        headers: { 'User-Agent': BROWSER, 'X-Forwarded-For': address },
        body: JSON.stringify({ events: [event] }),
      });
      expect(answer.status).toBe(200);
    }
  }
  await until('all views are stored', async () => (await ask('SELECT count() FROM events')) === '6');
  expect(await ask('SELECT uniqExact(visitor) FROM events')).toBe('2');
  expect(await ask('SELECT count(), uniqExact(day) FROM salts')).toMatch(/^([12])\t\1$/);
});
