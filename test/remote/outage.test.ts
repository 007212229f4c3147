// Two copies of the server on two real shards, under traffic: a shard is killed and comes back, a copy is killed and
// comes back, a copy starts while a shard is away, a shard hangs and continues. Nothing acknowledged is lost, nothing
// is counted twice, refusals say why, and service returns by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Readiness } from '../../server/cli/health.ts';
import { type ClickHouse, type Cluster, startCluster } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const ARTICLES = 8;
/** Views that a reader opens at once: they are one insert, and an insert is what costs two servers most. */
const AT_ONCE = 20;
const ONE_AWAY = '1 of 2 database servers does not answer; lists need all of them.';
const articleUrl = (article: number) => `https://outage.example/${article}`;

let cluster: Cluster;
let flags: string[];
let copies: [TestServer, TestServer];
let site: TestSite;

beforeAll(async () => {
  cluster = await startCluster([makeDataDir(), makeDataDir()]);
  flags = ['--clickhouse-url', cluster.nodes.map(({ url }) => url).join(), '--clickhouse-cluster', cluster.name];
  const first = await startServer({ flags });
  site = await addSite(first, 'outage.example');
  for (let article = 0; article < ARTICLES; article++) {
    const metadata = { canonical_url: articleUrl(article), title: `Article ${article} of the harbour` };
    await postJson(first, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
  copies = [first, await startServer({ flags })];
});
afterAll(async () => {
  await Promise.all((copies ?? []).map((copy) => copy.stop()));
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await removeDataDirs();
});

const views = { acknowledged: new Map<string, number>(), unanswered: new Map<string, number>() };
const add = (to: Map<string, number>, url: string) => to.set(url, (to.get(url) ?? 0) + 1);
const total = (of: Map<string, number>) => [...of.values()].reduce((sum, count) => sum + count, 0);
let made = 0;
let refused = 0;

/**
 * One view; what became of it is noted. A broken connection leaves it unknown, and it is not sent again.
 * @returns whether there was an answer.
 */
async function view(copy: TestServer): Promise<boolean> {
  const id = made++;
  const url = articleUrl(id % ARTICLES);
  const event = { idsite: site.apikey, action: 'pageview', url, eid: `view-${id}`, u: `reader-${id % 40}` };
  const init = { method: 'POST', body: JSON.stringify({ events: [event] }), headers: { 'User-Agent': BROWSER } };
  try {
    const { status } = await fetch(`${copy.url}/events`, init);
    if (status === 200) add(views.acknowledged, url);
    else refused++;
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    add(views.unanswered, url);
    return false;
  }
}

/** Between two bursts of a reader: a recovery takes seconds, and needs the processor. */
const PAUSE_MS = 1400;

/** Readers of both copies, until they are stopped; a reader of a copy that ended leaves. */
async function whileReadersCome<T>(work: () => Promise<T>): Promise<T> {
  let open = true;
  const reader = async (which: 0 | 1) => {
    let answered = true;
    while (open && answered) {
      const burst = Array.from({ length: AT_ONCE }, () => view(copies[which]));
      answered = (await Promise.all(burst)).every(Boolean);
      await sleep(PAUSE_MS);
    }
  };
  const readers = [reader(0), reader(1)];
  try {
    return await work();
  } finally {
    open = false;
    await Promise.all(readers);
  }
}

const moreViews = async (count: number) => {
  const before = total(views.acknowledged);
  await until('more views are acknowledged', () => total(views.acknowledged) >= before + count);
};

const keys = () => ({ apikey: site.apikey, secret: site.secret });
function list(copy: TestServer, params: Record<string, string> = {}): Promise<Response> {
  return fetch(`${copy.url}/v2/analytics/posts?${new URLSearchParams({ ...keys(), period_start: '1d', ...params })}`);
}
const readiness = (copy: TestServer) => getJson<Readiness>(copy, '/readyz');

/** Every view that was acknowledged is counted, and no more than were ever sent. */
async function expectAllCounted(copy: TestServer): Promise<void> {
  const counted = await until('all views are counted', async () => {
    const { data } = (await (await list(copy)).json()) as { data?: { url: string; _hits: number }[] };
    const hits = new Map((data ?? []).map(({ url, _hits }) => [url, _hits]));
    return total(hits) >= total(views.acknowledged) ? hits : undefined;
  });
  for (const [url, least] of views.acknowledged) {
    expect(counted.get(url), url).toBeGreaterThanOrEqual(least);
    expect(counted.get(url), url).toBeLessThanOrEqual(least + (views.unanswered.get(url) ?? 0));
  }
  const rows = await Promise.all(
    cluster.nodes.map((node) => node.ask('SELECT count() - uniqExact(key) FROM events_local WHERE key != 0')),
  );
  expect(rows).toEqual(['0', '0']);
}

test('a shard is killed and a copy, too: views are taken, lists come from memory or say what is away, and all returns by itself', async () => {
  const [first] = copies;
  await whileReadersCome(async () => {
    await moreViews(60);
    const known = await list(first);
    expect({ status: known.status, warning: known.headers.get('Warning') }).toEqual({ status: 200, warning: null });

    const shard = cluster.nodes[0]!;
    await shard.kill();
    // At first it is unknown how much is away.
    const said = await until('the server says that a shard is away', async () => {
      const found = await readiness(first);
      return found.problems.includes(ONE_AWAY) ? found : undefined;
    });
    expect(said).toEqual({ ready: true, events: 'spooled', reads: 'memory', problems: [ONE_AWAY] });
    const doctor = await runCommand(['doctor', '--json', '--data', first.dataDir]);
    const { host } = new URL(shard.url);
    expect(JSON.parse(doctor.stdout)).toContainEqual(
      expect.objectContaining({ about: 'database', state: 'problem', says: `${ONE_AWAY} Away: ${host}.` }),
    );
    await moreViews(30);
    const old = await list(first);
    expect({ status: old.status, warning: old.headers.get('Warning') }).toEqual({
      status: 200,
      warning: '110 - "Response is Stale"',
    });
    const unknown = await list(first, { limit: '7' });
    expect({ status: unknown.status, retry: unknown.headers.get('Retry-After') }).toEqual({ status: 503, retry: '5' });
    expect(await unknown.json()).toEqual({ code: 503, message: `Service Unavailable: ${ONE_AWAY}`, success: false });
    const related = await fetch(`${first.url}/v2/related?apikey=${site.apikey}&url=${articleUrl(1)}`);
    expect(related.status).toBe(200);

    await copies[1].kill();
    await moreViews(30);
    cluster.nodes[0] = await shard.startAgain();
    await until('lists are fresh again', async () => (await list(first)).headers.get('Warning') === null);
    copies[1] = await startServer({ dataDir: copies[1].dataDir, flags });
    await moreViews(30);
  });
  expect(refused).toBe(0);
  for (const copy of copies) await expectAllCounted(copy);
  for (const copy of copies) {
    await until('the copy reads and stores again', async () => (await readiness(copy)).events === 'stored');
  }
  expect(copies[0].log().filter(({ level }) => level === 'fatal')).toEqual([]);
});

test('a copy that is started while one shard is away takes views, recommends, and is whole when the shard is back', async () => {
  const [, second] = copies;
  const loaded = async () => {
    const answer = await fetch(`${second.url}/v2/related?apikey=${site.apikey}&url=${articleUrl(1)}`);
    return answer.ok && !answer.headers.has('Afterword-Index');
  };
  await until('its site is in memory', loaded);
  await second.stop();
  await cluster.nodes[1]!.kill();
  try {
    copies[1] = await startServer({ dataDir: second.dataDir, flags });
    const said = await readiness(copies[1]);
    expect(said).toMatchObject({ ready: false, events: 'spooled', reads: 'none' });
    const before = total(views.acknowledged);
    for (let reader = 0; reader < 20; reader++) await view(copies[1]);
    expect(total(views.acknowledged)).toBe(before + 20);
    const related = await fetch(`${copies[1].url}/v2/related?apikey=${site.apikey}&url=${articleUrl(1)}`);
    expect([related.status, related.headers.get('Afterword-Index')]).toEqual([200, 'loading']);
    const listed = await until('the snapshot is read', async () => {
      const answer = await fetch(related.url);
      const { data } = (await answer.json()) as { data: { url: string }[] };
      return data.length > 0 ? data.map(({ url }) => url).sort() : undefined;
    });
    expect(listed).toEqual(
      Array.from({ length: ARTICLES }, (_, article) => articleUrl(article)).filter((url) => url !== articleUrl(1)),
    );
  } finally {
    cluster.nodes[1] = await cluster.nodes[1]!.startAgain();
  }
  await until('the copy is ready', async () => (await readiness(copies[1])).ready);
  expect(refused).toBe(0);
  await expectAllCounted(copies[1]);
  expect(copies[1].log().filter(({ level }) => level === 'fatal')).toEqual([]);
});

test('a shard that hangs is noticed while it hangs: lists come from memory, views from the spool, and all returns when it continues', async () => {
  const [first, second] = copies;
  const shard: ClickHouse = cluster.nodes[1]!;
  await list(first);
  shard.freeze();
  try {
    await whileReadersCome(async () => {
      const answers = await Promise.all([list(first), list(first), list(second, { limit: '9' })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
      await moreViews(AT_ONCE);
    });
  } finally {
    shard.thaw();
  }
  for (const copy of copies) await expectAllCounted(copy);
});
