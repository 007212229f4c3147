// Two copies of the server on one cluster: an address that one names is served by the other.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { askPicture, openPictureHost, type PictureHost, photograph, postWithPicture } from '../support/pictures.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;
let copies: TestServer[];
let host: PictureHost;

beforeEach(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  host = await openPictureHost();
  const urls = cluster.nodes.map(({ url }) => url).join();
  const flags = ['--clickhouse-url', urls, '--clickhouse-cluster', cluster.name, '--allow-private-crawl'];
  copies = [await startServer({ flags }), await startServer({ flags })];
});
afterEach(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await host.close();
  await removeDataDirs();
});

test('copies of the server on one cluster take each other’s addresses of thumbnails', async () => {
  const [first, second] = copies as [TestServer, TestServer];
  const site = await addSite(first, 'twice.example');
  const image_url = host.put('/shared.jpg', await (await photograph(800, 450)).jpeg().toBuffer());
  const { thumb_url_medium } = await postWithPicture(first, site, { word: 'shared', image_url });
  const path = thumb_url_medium.slice(first.url.length);
  await until('the other copy knows the site', async () => (await askPicture(second.url + path)).status !== 404);
  const answers = await Promise.all(copies.map(({ url }) => askPicture(url + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  expect((await askPicture(second.url + path.replace('shared.jpg', 'other.jpg'))).status).toBe(404);
});
