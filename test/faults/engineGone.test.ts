// A ClickHouse server that is killed with -9 and started again while readers report page views: the server keeps taking
// them, every view it acknowledged is counted in the end, and none twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const ARTICLE = 'https://gone.example/article';
const OUTAGES = Number(process.env.AFTERWORD_TEST_KILLS ?? 3);

let engine: ClickHouse;
let server: TestServer;
let site: TestSite;

beforeAll(async () => {
  engine = await startClickHouse(makeDataDir());
  server = await startServer({ flags: ['--clickhouse-url', engine.url] });
  site = await addSite(server, 'gone.example');
  const metadata = { canonical_url: ARTICLE, title: 'An article' };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
});
afterAll(async () => {
  await server?.stop();
  await engine?.kill();
  await removeDataDirs();
});

let made = 0;
/** @returns whether the view was acknowledged. */
async function view(): Promise<boolean> {
  made += 1;
  const event = { idsite: 'gone.example', action: 'pageview', url: ARTICLE, eid: `event-${made}`, u: `reader-${made}` };
  const body = JSON.stringify({ events: [event] });
  const answer = await fetch(`${server.url}/events`, { method: 'POST', body, headers: { 'User-Agent': BROWSER } });
  return answer.status === 200;
}

async function views(): Promise<number> {
  const params = { apikey: site.apikey, secret: site.secret, period_start: '1d' };
  const { data } = await getJson<{ data?: { _hits: number }[] }>(server, '/v2/analytics/posts', params);
  return data?.[0]?._hits ?? 0;
}

test(
  `through ${OUTAGES} outages of the engine every view is taken, and counted once`,
  async () => {
    let acknowledged = 0;
    for (let outage = 0; outage < OUTAGES; outage++) {
      const running = engine;
      const sending = Array.from({ length: 60 }, async (_, index) => {
        // The engine goes while some are on their way and others still to come.
        if (index === 20) await running.kill();
        return await view();
      });
      const answers = await Promise.all(sending);
      expect(answers).not.toContain(false);
      acknowledged += answers.length;
      engine = await running.startAgain();
      await until('all views are counted', async () => (await views()) === acknowledged, 30_000);
    }
    // One more, behind whatever might still wait somewhere: nothing did.
    expect(await view()).toBe(true);
    await until('the last view is counted', async () => (await views()) > acknowledged);
    expect(await views()).toBe(acknowledged + 1);
  },
  60_000 + OUTAGES * 20_000,
);
