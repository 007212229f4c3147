// Copies of the server on one cluster: a reader without an id who is served by all is one reader, no copy leaves in the database what would
// tell who it was, and an address that one names is served by the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { askPicture, openPictureHost, type PictureHost, photograph, postWithPicture } from '../support/pictures.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;
const copies: TestServer[] = [];
let site: TestSite;
let host: PictureHost;

beforeAll(async () => {
  await awayFromMidnight();
  [cluster, host] = await Promise.all([startCluster([makeDataDir(), makeDataDir()]), openPictureHost()]);
  const urls = cluster.nodes.map(({ url }) => url).join();
  const ofCluster = ['--clickhouse-url', urls, '--clickhouse-cluster', cluster.name];
  const flags = [...ofCluster, '--trusted-proxies', '1', '--allow-private-crawl'];
  const first = await startServer({ flags });
  copies.push(first);
  site = await addSite(first, 'twice.example');
  copies.push(...(await Promise.all([startServer({ flags }), startServer({ flags })])));
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await host.close();
  await removeDataDirs();
});

test('a reader without an id counts once', async () => {
  const ask = (sql: string) => cluster.nodes[0]!.ask(sql);
  // Another try of this test is about another page.
  const page = `https://twice.example/${crypto.randomUUID()}`;
  for (const { url } of copies) {
    for (const address of ['203.0.113.7', '198.51.100.1']) {
      const answer = await fetch(`${url}/events`, {
        method: 'POST',
        headers: { 'User-Agent': BROWSER, 'X-Forwarded-For': address },
        body: JSON.stringify({ events: [{ idsite: 'twice.example', action: 'pageview', url: page }] }),
      });
      expect(answer.status).toBe(200);
    }
  }
  const ofPage = `FROM events WHERE url = '${page}'`;
  await until('all views are stored', async () => (await ask(`SELECT count() ${ofPage}`)) === '6');
  expect(await ask(`SELECT uniqExact(visitor) ${ofPage}`)).toBe('2');
  expect(await ask('SELECT count(), uniqExact(day) FROM salts')).toMatch(/^([12])\t\1$/);
});

test('copies take each other’s addresses of thumbnails', async () => {
  const [first, second] = copies as [TestServer, TestServer];
  const image_url = host.put('/shared.jpg', await (await photograph(800, 450)).jpeg().toBuffer());
  const { thumb_url_medium } = await postWithPicture(first, site, { word: 'shared', image_url });
  const path = thumb_url_medium.slice(first.url.length);
  await until('the other copy knows the site', async () => (await askPicture(second.url + path)).status !== 404);
  const answers = await Promise.all([first, second].map(({ url }) => askPicture(url + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  expect((await askPicture(second.url + path.replace('shared.jpg', 'other.jpg'))).status).toBe(404);
});
