// Two copies of the server on one database share the pages to be read and the periodic jobs: no page is fetched twice, each job runs
// on one of them, and a copy that is killed leaves nothing undone.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { articlePage } from '../crawl/archiveSite.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { readMetrics } from '../support/metrics.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { emptyDatabases } from './journey.ts';

const HOSTS = 12;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let clickhouse: ClickHouse;
const webs: Server[] = [];
const origins: string[] = [];
const copies: TestServer[] = [];
/** How often each page was asked for. */
const fetched = new Map<string, number>();

beforeAll(async () => {
  clickhouse = await startClickHouse(makeDataDir());
  for (let host = 0; host < HOSTS; host++) {
    const address = `127.0.0.${host + 2}`;
    const web = createServer((request, response) => {
      const number = /^\/a(\d+)$/.exec(request.url!)?.[1];
      if (number === undefined) return void response.writeHead(404).end();
      const url = `http://${request.headers.host}${request.url}`;
      fetched.set(url, (fetched.get(url) ?? 0) + 1);
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(articlePage(Number(number)).body);
    });
    await new Promise<void>((done) => web.listen(0, address, done));
    webs.push(web);
    origins.push(`http://${address}:${(web.address() as AddressInfo).port}`);
  }
});
// Each try has a database of its own.
beforeEach(async () => {
  for (const copy of copies.splice(0)) await copy.stop();
  await emptyDatabases([clickhouse]);
  fetched.clear();
});
afterAll(async () => {
  for (const copy of copies) await copy.stop();
  for (const web of webs) web.close().closeAllConnections();
  await clickhouse.kill();
  await removeDataDirs();
});

/** Each page is opened by readers of every copy given. */
async function open(pages: readonly number[], at: readonly TestServer[]): Promise<void> {
  const urls = pages.flatMap((page) => origins.map((origin) => `${origin}/a${page}`));
  const events = () =>
    urls.map((url) => ({ idsite: 'shared.example', action: 'pageview', url, eid: crypto.randomUUID() }));
  for (const copy of at) {
    const init = { method: 'POST', body: JSON.stringify({ events: events() }), headers: { 'User-Agent': BROWSER } };
    expect((await fetch(`${copy.url}/events`, init)).status).toBe(200);
  }
}

const allFetched = (pages: readonly number[]) =>
  until(`pages ${pages} of all hosts are read`, () =>
    pages.every((page) => origins.every((origin) => fetched.has(`${origin}/a${page}`))),
  );

const twice = (pages: readonly number[]) =>
  [...fetched].filter(([url, times]) => times > 1 && pages.some((page) => url.endsWith(`/a${page}`)));
const readBy = async (copy: TestServer) => (await readMetrics(copy)).get('afterword_crawl_pages_total') ?? 0;

/** The salt of an earlier day goes within seconds. */
async function eraseYesterday(): Promise<void> {
  // It would go by itself, some time.
  await clickhouse.ask('SYSTEM STOP TTL MERGES salts');
  // Another one each time: a repeated insert is left out by the table.
  await clickhouse.ask(`INSERT INTO salts VALUES (yesterday(), '${crypto.randomUUID()}')`);
  const left = () => clickhouse.ask('SELECT count() FROM salts WHERE day < today()');
  await until('the salt is erased', async () => (await left()) === '0', 60_000, 500);
}

/** Whether the last line about the job says that it is this copy's. */
const runsJob = (copy: TestServer) =>
  copy.log().findLast(({ job }) => job === 'erase salts')?.msg === 'this copy runs the job now';

test('no page is fetched by both, each reads some, periodic jobs run on one, and the other takes over what it leaves when it is killed', async () => {
  const flags = ['--clickhouse-url', clickhouse.url, '--allow-private-crawl'];
  const first = await startServer({ flags });
  copies.push(first);
  await addSite(
    first,
    'shared.example',
    '--no-discover',
    ...origins.flatMap((origin) => ['--domain', new URL(origin).host]),
  );
  const second = await startServer({ flags });
  copies.push(second);
  // The second joins some seconds after its start. A copy that is starved of the processor meanwhile, and has not seen it, may read a
  // page that was read: what is opened from then on counts.
  let page = 10;
  await until(
    'the second copy reads, too',
    async () => {
      await open([page++], [first]);
      return (await readBy(second)) > 0;
    },
    100_000,
    2_000,
  );
  await open([1, 2], copies);
  await allFetched([1, 2]);
  expect(await readBy(first)).toBeGreaterThan(0);
  expect(twice([1, 2])).toEqual([]);

  // What all copies share is changed by one of them.
  await eraseYesterday();
  const owner = await until('the log of a copy says that it runs the job', () => copies.find(runsJob));
  const [left] = copies.filter((copy) => copy !== owner) as [TestServer];
  expect(runsJob(left)).toBe(false);
  expect(await clickhouse.ask(`SELECT count() FROM system.mutations WHERE table = 'salts'`)).toBe('1');

  copies.splice(copies.indexOf(owner), 1);
  await owner.kill();
  await open([900, 901], [left]);
  await allFetched([900, 901]);
  expect(twice([1, 2, 900, 901])).toEqual([]);
  await eraseYesterday();
  await until('the log of the other copy says so', () => runsJob(left));
});
