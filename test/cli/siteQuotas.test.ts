// Quotas of a site, as an operator sets them on a running server: what is beyond them is refused or removed, visibly, and nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
/** Where it is noon now, more or less: no midnight passes during a test. */
const NOON = `Etc/GMT${zoneOfNoon()}`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

function zoneOfNoon(): string {
  // Signs of these names are the other way round.
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? '' : ahead > 0 ? `-${ahead}` : `+${-ahead}`;
}

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const change = async (id: string, ...words: string[]) => {
  const { code, stdout, stderr } = await command('site', 'change', id, ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const metric = async (name: string) => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
};
const doctor = async () => (await runInProcess(['doctor', '--data', server.dataDir])).stdout;

let tries = 0;
const view = (idsite: string, n: string) => ({ idsite, action: 'pageview', url: `https://${idsite}/${n}`, eid: n });
const post = (events: readonly unknown[], path = '/events') =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events }),
  });

test('beyond its events of the day a site is refused until its midnight, and no other site; the count survives a kill', async () => {
  tries += 1;
  const id = `daily-${tries}.example`;
  const other = `other-${tries}.example`;
  await addSite(server, id, '--timezone', NOON);
  await addSite(server, other);
  expect(await change(id, '--max-events-per-day', '3')).toMatch(/^events a day {5}0 of 3 today$/m);
  // The batch that reaches the limit is taken whole.
  expect((await post([view(id, 'a'), view(id, 'b')])).status).toBe(200);
  expect((await post([view(id, 'c'), view(id, 'd')])).status).toBe(200);

  const refused = await post([view(id, 'e'), view(id, 'f')]);
  const wait = Number(refused.headers.get('Retry-After'));
  expect(wait).toBeGreaterThan(10 * 3600);
  expect(wait).toBeLessThan(14 * 3600);
  expect([refused.status, refused.headers.get('Access-Control-Allow-Origin'), await refused.json()]).toEqual([
    429,
    '*',
    {
      code: 429,
      message: `${id} takes 3 events a day, and has had them: send this again in ${wait} s.`,
      success: false,
    },
  ]);
  // Apps would send it again each minute, and a pixel never: theirs are dropped.
  expect(await (await post([view(id, 'g')], '/mobileproxy')).json()).toEqual({ success: true });
  const query = new URLSearchParams(view(id, 'h'));
  const pixel = await fetch(`${server.url}/plogger/?${query}`, { headers: { 'User-Agent': BROWSER } });
  expect([pixel.status, pixel.headers.get('Content-Type')]).toEqual([200, 'image/gif']);
  // Events of another site in the same batch are taken.
  expect((await post([view(id, 'i'), view(other, 'a')])).status).toBe(200);
  await allStored(server);

  const outcome = (site: string, of: string) => metric(`afterword_ingest_events_total{site="${site}",outcome="${of}"}`);
  expect([await outcome(id, 'stored'), await outcome(id, 'over-events-quota'), await outcome(other, 'stored')]).toEqual(
    [4, 5, 1],
  );
  const labels = `{site="${id}",quota="events"}`;
  expect([
    await metric(`afterword_site_quota_used${labels}`),
    await metric(`afterword_site_quota_limit${labels}`),
  ]).toEqual([4, 3]);
  const lines = server.log().filter(({ msg, site }) => site === id && String(msg).includes('events of the day'));
  expect(lines).toMatchObject([{ limit: 3, level: 'warn' }]);
  expect(await doctor()).toContain(
    `${id} has 4 of 3 events of today: no more are taken until its midnight.\n` +
      `${' '.repeat(26)}→ If it may have more: afterword site change ${id} --max-events-per-day <number>`,
  );
  expect((await command('site', 'list')).stdout).toMatch(new RegExp(`^${id} .*events 133 %$`, 'm'));

  await server.kill();
  server = await startServer({ dataDir: server.dataDir });
  expect((await post([view(id, 'k')])).status).toBe(429);
  await change(id, '--max-events-per-day', '5');
  expect((await post([view(id, 'k')])).status).toBe(200);
  expect((await post([view(id, 'l')])).status).toBe(429);
  expect(await change(id, '--max-events-per-day', 'none')).toMatch(/^events a day {5}no limit$/m);
  expect((await post([view(id, 'l')])).status).toBe(200);
});

test('beyond its posts a site gets no new ones from any source, and those it has can be changed', async () => {
  tries += 1;
  const site = await addSite(server, `posts-${tries}.example`, '--max-posts', '2');
  const write = (name: string, title: string) =>
    postJson(server, '/v2/metadata/posts', {
      apikey: site.apikey,
      secret: site.write_secret,
      metadata: { canonical_url: `https://${site.apikey}/${name}`, title },
    });
  const taken = { data: [], success: true };
  expect([await write('a', 'A'), await write('b', 'B')]).toEqual([taken, taken]);
  const sentence = `${site.apikey} may have 2 posts, and has them: new ones are not added. Known ones can be changed.`;
  expect(await write('c', 'C')).toEqual({
    code: 422,
    errors: { url: [sentence] },
    message: 'Bad parameters: url',
    success: false,
  });
  expect(await write('a', 'A, corrected')).toEqual(taken);

  const file = join(makeDataDir(), 'posts.ndjson');
  const lines = ['b', 'd', 'e'].map((name) => ({
    canonical_url: `https://${site.apikey}/${name}`,
    title: `${name}, imported`,
  }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const imported = await command('import', 'posts', site.apikey, file, '--json');
  expect(JSON.parse(imported.stdout).outcomes).toEqual({ stored: 1, 'beyond the quota of posts': 2 });
  const listed = JSON.parse((await command('posts', 'list', site.apikey, '--json')).stdout) as { title: string }[];
  expect(listed.map(({ title }) => title).sort()).toEqual(['A, corrected', 'b, imported']);
  expect((await command('site', 'show', site.apikey)).stdout).toMatch(/^posts {12}2 of 2$/m);
  expect(await doctor()).toContain(`${site.apikey} has 2 of 2 posts: new ones are not added.`);
  await change(site.apikey, '--max-posts', '3');
  expect(await write('c', 'C')).toEqual(taken);
});

/** Views of one page, so many days ago, by one reader each. */
async function importViews(site: TestSite, days: readonly number[]): Promise<void> {
  const file = join(makeDataDir(), 'views.csv');
  const rows = days.map(
    (ago) => `https://${site.apikey}/page,${new Date(Date.now() - ago * DAY_MS).toISOString()},reader-${ago}`,
  );
  writeFileSync(file, ['url,date,visitor', ...rows].join('\n'));
  expect(await command('import', 'views', site.apikey, file)).toMatchObject({ code: 0 });
}

test('events older than a site keeps them are removed with what holds readers; sums by day stay', async () => {
  tries += 1;
  const site = await addSite(server, `kept-${tries}.example`, '--timezone', NOON);
  const { apikey, secret, write_secret } = site;
  const metadata = { canonical_url: `https://${apikey}/page`, title: 'Page' };
  await postJson(server, '/v2/metadata/posts', { apikey, secret: write_secret, metadata });
  await importViews(site, [40, 30, 12, 11, 1]);
  expect(await change(apikey, '--keep-events', '12')).toMatch(/^keep events {6}12 days$/m);
  const days = async (table: string) => {
    const { stdout } = await command('site', 'size', apikey, '--json');
    const size = JSON.parse(stdout) as { tables: { table: string; rows: number }[]; first: string };
    return { first: size.first, rows: size.tables.find((each) => each.table === table)?.rows };
  };
  await until('the oldest are removed', async () => (await days('events')).rows === 3);
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const gone = server.log().filter(({ msg, site: of }) => of === apikey && String(msg).includes('retention'));
  expect(gone).toMatchObject([{ events: 2 }]);
  expect((await days('post_visitors')).rows).toBe(3);
  const list = async (metrics: string) => {
    const params = { apikey, secret, period_start: day(60), period_end: day(0), metrics };
    const { data } = await getJson<{ data: { metrics: Record<string, number> }[] }>(
      server,
      '/v2/analytics/posts',
      params,
    );
    return data[0]!.metrics;
  };
  expect(await list('views,visitors')).toMatchObject({ views: 5, visitors: 3 });
});

test.each([
  ['--keep-events', '7', 'It takes a whole number of days from 8 to 400, or none.'],
  ['--max-events-per-day', '0', 'It takes a whole number of events from 1 to 1000000000000, or none.'],
  ['--max-disk', '500', 'It takes a size such as 500M, 20G or 1T, at least 1M; or none.'],
])('%s %s is refused, with what it takes', async (flag, value, sentence) => {
  const { code, stderr } = await command('site', 'change', 'any.example', flag, value);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
});
