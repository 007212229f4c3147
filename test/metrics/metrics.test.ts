// GET /metrics of a running server: what it counts, and who may read it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

afterAll(removeDataDirs);

/** Samples of the text format, by name and labels as they are written. */
async function samples(server: TestServer): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const sendEvents = (server: TestServer, events: readonly unknown[], userAgent = BROWSER) =>
  fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': userAgent },
    body: JSON.stringify({ events }),
  });

describe('what it counts', () => {
  let server: TestServer;
  let site: TestSite;
  beforeAll(async () => {
    server = await startServer();
    site = await addSite(server, 'metrics.example');
  });
  afterAll(() => server.stop());

  /** What there is now, and how much more of it than there was before some work. */
  async function samplesAfter(work: () => Promise<void>) {
    const before = await samples(server);
    await work();
    const now = await samples(server);
    return { now, more: (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0) };
  }

  test('requests by route and by what their bodies say, not by the HTTP status they travel with', async () => {
    const { apikey, secret } = site;
    const { more } = await samplesAfter(async () => {
      await getJson(server, '/v2/analytics/posts', { apikey, secret });
      await getJson(server, '/v2/analytics/posts', { apikey, secret: 'wrong' });
      await getJson(server, '/v2/analytics/posts', { apikey, secret, limit: 'many' });
      await fetch(`${server.url}/v2/related?apikey=${apikey}&callback=not-a-name`);
      await getJson(server, '/v2/none');
      await fetch(`${server.url}/${'x'.repeat(300)}`);
    });
    const requests = (route: string, outcome: string) =>
      more(`afterword_http_requests_total{route="${route}",outcome="${outcome}"}`);
    expect(requests('/v2/analytics', '200')).toBe(1);
    expect(requests('/v2/analytics', '403')).toBe(1);
    expect(requests('/v2/analytics', '422')).toBe(1);
    expect(requests('/v2/related', '422')).toBe(1);
    expect(requests('(other)', '404')).toBe(2);
    expect(more('afterword_http_request_duration_seconds_count{route="/v2/analytics"}')).toBe(3);
    expect(more('afterword_http_request_duration_seconds_bucket{le="10",route="/v2/analytics"}')).toBe(3);
  });

  test('events by site and by why they were dropped', async () => {
    const { apikey: idsite } = site;
    const view = { idsite, action: 'pageview', url: 'https://metrics.example/a', eid: randomUUID() };
    const { now, more } = await samplesAfter(async () => {
      await sendEvents(server, [view, view, { ...view, eid: 'two', url: 'https://elsewhere.example/' }]);
      await sendEvents(server, [{ ...view, eid: 'three' }], 'Googlebot/2.1 (+http://www.google.com/bot.html)');
      await sendEvents(server, [{ ...view, eid: 'four', idsite: 'nobody.example' }, 'no event']);
      await allStored(server);
    });
    const events = (outcome: string, name: string = idsite) =>
      more(`afterword_ingest_events_total{site="${name}",outcome="${outcome}"}`);
    expect(events('stored')).toBe(1);
    expect(events('duplicate')).toBe(1);
    expect(events('foreign-host')).toBe(1);
    expect(events('bot')).toBe(1);
    expect(events('unknown-site', '')).toBe(1);
    expect(events('malformed', '')).toBe(1);
    const delay = 'afterword_ingest_storage_delay_seconds';
    expect(more(`${delay}_count`)).toBeGreaterThan(0);
    expect(more(`${delay}_bucket{le="+Inf"}`)).toBe(more(`${delay}_count`));
    expect(more(`${delay}_sum`)).toBeGreaterThan(0);
    expect(now.get('afterword_ingest_waiting_events')).toBe(0);
    expect(now.get('afterword_spool_bytes')).toBe(0);
    expect(now.get('afterword_spool_age_seconds')).toBe(0);
  });

  test('bots by name, and those without a name in the table together', async () => {
    const view = { idsite: site.apikey, action: 'pageview', url: 'https://metrics.example/a' };
    const inBrowser =
      'Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user) Chrome/138.0';
    const { more } = await samplesAfter(async () => {
      await sendEvents(server, [view, view], inBrowser);
      await sendEvents(server, [view], 'curl/8.9.1');
      await sendEvents(server, [view], 'any-name-at-all-bot/1.0');
    });
    expect(more('afterword_ingest_bot_events_total{bot="Perplexity-User"}')).toBe(2);
    expect(more('afterword_ingest_bot_events_total{bot="other"}')).toBe(2);
  });

  let days = 0;
  test('lists from memory and from the engine, the engine’s time, indexes and the process itself', async () => {
    const { apikey, write_secret } = site;
    const metadata = { canonical_url: 'https://metrics.example/a', title: 'An article' };
    await postJson(server, '/v2/metadata/posts', { apikey, secret: write_secret, metadata });
    // A list that was not requested before, in another try of this test either.
    days++;
    const { now, more } = await samplesAfter(async () => {
      for (const _ of [1, 2, 3]) await getJson(server, '/v2/top/posts', { apikey, days });
    });
    expect(more('afterword_public_lists_total{outcome="made"}')).toBe(1);
    expect(more('afterword_public_lists_total{outcome="memory"}')).toBe(2);
    expect(more('afterword_engine_duration_seconds_count{kind="read",outcome="done"}')).toBeGreaterThan(0);
    expect(now.get('afterword_engine_duration_seconds_count{kind="insert",outcome="done"}')).toBeGreaterThan(1);
    expect(now.get('afterword_index_posts')).toBe(1);
    expect(now.get('afterword_index_bytes')).toBeGreaterThan(0);
    expect(now.get('afterword_sites')).toBe(1);
    expect(now.get('afterword_engine_parts')).toBeGreaterThan(0);
    expect(now.get('afterword_engine_bytes')).toBeGreaterThan(100);
    expect(now.get('process_resident_memory_bytes')).toBeGreaterThan(50_000_000);
    expect(now.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  });
});

describe('who may read it', () => {
  const read = async (server: TestServer, headers: Record<string, string> = {}) =>
    (await fetch(`${server.url}/metrics`, { headers })).status;

  test('without a token: this machine, unless the request came through a proxy', async () => {
    const server = await startServer();
    expect(await read(server)).toBe(200);
    expect((await fetch(`${server.url}/metrics`)).headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await read(server, { 'X-Forwarded-For': '127.0.0.1' })).toBe(404);
    expect(await read(server, { Forwarded: 'for=127.0.0.1' })).toBe(404);
    await server.stop();
  });

  test('HEAD is answered as GET; any other method has the two named, of health and readiness as well', async () => {
    const server = await startServer();
    for (const path of ['/metrics', '/healthz', '/readyz']) {
      const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()], path).toEqual([200, '']);
      const post = await fetch(`${server.url}${path}`, { method: 'POST' });
      expect([post.status, post.headers.get('Allow')], path).toEqual([405, 'GET, HEAD']);
    }
    const hidden = { method: 'HEAD', headers: { Forwarded: 'for=127.0.0.1' } };
    expect((await fetch(`${server.url}/metrics`, hidden)).status).toBe(404);
    await server.stop();
  });

  test('without a token and with proxies in front: none', async () => {
    const server = await startServer({ flags: ['--trusted-proxies', '1'] });
    expect(await read(server)).toBe(404);
    await server.stop();
  });

  test('with a token: who sends it, wherever from', async () => {
    const token = 'only-prometheus-knows-this';
    const server = await startServer({ env: { AFTERWORD_METRICS_TOKEN: token }, flags: ['--trusted-proxies', '1'] });
    expect(await read(server)).toBe(404);
    expect(await read(server, { Authorization: 'Bearer wrong-wrong-wrong-wrong' })).toBe(404);
    expect(await read(server, { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' })).toBe(200);
    await server.stop();
  });
});
