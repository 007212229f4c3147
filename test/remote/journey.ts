// What a publisher and readers do on a new installation, through the front door: written once, and asked of every kind of database.
import { expect } from 'vitest';
import type { ClickHouse } from '../support/clickhouse.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

export const harbour = 'https://journey.example/harbour';
export const ferry = 'https://journey.example/ferry';
export const bread = 'https://journey.example/bread';
const READER = 'reader-who-knows-the-harbour';

const articles = [
  {
    canonical_url: harbour,
    urls: ['https://journey.example/amp/harbour'],
    title: 'The harbour opens its new ferry pier',
    full_content: 'Ferries leave the harbour pier every hour; the harbour master counts passengers and boats.',
  },
  {
    canonical_url: ferry,
    title: 'Ferry timetable of the harbour changes in winter',
    full_content: 'The ferry leaves the pier of the harbour less often in winter, the harbour master says.',
  },
  {
    canonical_url: bread,
    title: 'Bread rises slowly',
    full_content: 'Flour, water, salt and patience: the baker kneads dough and waits for the oven.',
  },
].map((article) => ({ section: 'Town', authors: ['Ann'], tags: ['town'], ...article }));

/** As new ones: for another try of a test. */
export async function emptyDatabases(servers: readonly ClickHouse[]): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      const tables = await server.ask("SELECT name FROM system.tables WHERE database = 'afterword'");
      for (const table of tables.split('\n').filter(Boolean)) await server.ask(`DROP TABLE IF EXISTS ${table} SYNC`);
    }),
  );
}

export async function openSite(server: TestServer): Promise<TestSite> {
  const site = await addSite(server, 'journey.example', '--timezone', 'Europe/Madrid');
  for (const metadata of articles) {
    const body = { apikey: site.apikey, secret: site.write_secret, metadata };
    expect(await postJson(server, '/v2/metadata/posts', body)).toEqual({ data: [], success: true });
  }
  return site;
}

/** @returns whether the views were acknowledged. Each has an id of its own: none is a repetition. */
export async function view(server: { url: string }, url: string, times = 1): Promise<boolean> {
  const events = Array.from({ length: times }, () => ({
    idsite: 'journey.example',
    action: 'pageview',
    url,
    eid: crypto.randomUUID(),
    u: `reader-${Math.floor(Math.random() * 1e9)}`,
  }));
  const init = { method: 'POST', body: JSON.stringify({ events }), headers: { 'User-Agent': BROWSER } };
  return (await fetch(`${server.url}/events`, init)).status === 200;
}

/** Views by canonical URL, as /analytics/posts lists them. */
export async function viewsOf(server: { url: string }, site: TestSite): Promise<Record<string, number>> {
  await allStored(server);
  const params = { apikey: site.apikey, secret: site.secret, period_start: '1d' };
  const { data } = await getJson<{ data?: { url: string; _hits: number }[] }>(server, '/v2/analytics/posts', params);
  return Object.fromEntries((data ?? []).map(({ url, _hits }) => [url, _hits]));
}

const urlsOf = ({ data }: { data: { url: string }[] }) => data.map(({ url }) => url);

/** Reads three articles, and expects every list to say so. */
export async function readAround(server: TestServer, site: TestSite): Promise<void> {
  const { apikey, secret } = site;
  expect(await view(server, 'https://journey.example/amp/harbour', 3)).toBe(true);
  expect(await view(server, bread, 2)).toBe(true);
  expect(await view(server, ferry)).toBe(true);
  expect(await viewsOf(server, site)).toEqual({ [harbour]: 3, [bread]: 2, [ferry]: 1 });
  expect(urlsOf(await getJson(server, '/v2/top/posts', { apikey }))).toEqual([harbour, bread, ferry]);
  expect(await getJson(server, '/v2/analytics/sections', { apikey, secret, sort: 'visitors' })).toMatchObject({
    data: [{ name: 'Town', _hits: 6, metrics: { visitors: 6 } }],
  });
  expect(urlsOf(await getJson(server, '/v2/related', { apikey, url: harbour }))[0]).toBe(ferry);

  await getJson(server, '/v2/profile', { apikey, uuid: READER, url: harbour });
  expect(await getJson(server, '/v2/history', { apikey, uuid: READER })).toMatchObject({ data: { urls: [harbour] } });

  await getJson(server, '/v2/exclude/ignore', { apikey, secret, url: bread });
  expect(await viewsOf(server, site)).toEqual({ [harbour]: 3, [ferry]: 1 });
}

/** What {@link readAround} left, after a restart or in another copy of the server. */
export async function expectRemembered(server: TestServer, site: TestSite): Promise<void> {
  const { apikey, secret } = site;
  await until('the server can serve', async () => (await fetch(`${server.url}/readyz`)).ok);
  expect(await viewsOf(server, site)).toEqual({ [harbour]: 3, [ferry]: 1 });
  expect(urlsOf(await getJson(server, '/v2/related', { apikey, url: harbour }))).toEqual([ferry]);
  expect(await getJson(server, '/v2/history', { apikey, uuid: READER })).toMatchObject({ data: { urls: [harbour] } });
  expect(await getJson(server, '/v2/exclude/list', { apikey, secret })).toMatchObject({ data: [bread] });
  await getJson(server, '/v2/exclude/include', { apikey, secret, url: bread });
  expect(await viewsOf(server, site)).toEqual({ [harbour]: 3, [bread]: 2, [ferry]: 1 });
}
