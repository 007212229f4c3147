// An upgrade while readers come: the old server is stopped, finishes, and a new one takes the folder over. Every view
// that was acknowledged is counted, none twice, and no sender sees anything but an answer or a closed door.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const ARTICLE = 'https://upgrade.example/article';
const UPGRADES = 2;
const SENDERS = 8;

let server: TestServer;
let site: TestSite;
let became: Record<'acknowledged' | 'refused' | 'unanswered', number>;
beforeEach(async () => {
  became = { acknowledged: 0, refused: 0, unanswered: 0 };
  server = await startServer();
  site = await addSite(server, 'upgrade.example');
  const metadata = { canonical_url: ARTICLE, title: 'An article' };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
});
afterEach(async () => {
  await server.stop();
  await removeDataDirs();
});

let made = 0;

async function view(): Promise<void> {
  made++;
  const event = { idsite: site.apikey, action: 'pageview', url: ARTICLE, eid: `view-${made}`, u: `reader-${made % 9}` };
  const init = { method: 'POST', body: JSON.stringify({ events: [event] }), headers: { 'User-Agent': BROWSER } };
  const status = await fetch(`${server.url}/events`, init).then(
    (answer) => answer.status,
    (error: unknown) => {
      if (error instanceof TypeError) return undefined;
      throw error;
    },
  );
  if (status === 200) became.acknowledged++;
  else if (status === 503) became.refused++;
  else if (status === undefined) became.unanswered++;
  else throw new Error(`A sender was answered with ${status}.`);
}

test('through upgrades under traffic nothing acknowledged is lost, and nothing is counted twice', async () => {
  for (let upgrade = 0; upgrade < UPGRADES; upgrade++) {
    const before = became.acknowledged;
    let open = true;
    const senders = Array.from({ length: SENDERS }, async () => {
      while (open) await view();
    });
    try {
      await until('readers come', () => became.acknowledged >= before + 50);
      expect(await server.stop()).toBe(0);
    } finally {
      open = false;
      await Promise.all(senders);
    }
    server = await startServer({ dataDir: server.dataDir });
    await allStored(server);
    const params = { apikey: site.apikey, secret: site.secret, period_start: '1d' };
    const { data } = await getJson<{ data: { _hits: number }[] }>(server, '/v2/analytics/posts', params);
    const counted = data[0]?._hits ?? 0;
    expect(counted).toBeGreaterThanOrEqual(became.acknowledged);
    expect(counted).toBeLessThanOrEqual(became.acknowledged + became.unanswered);
  }
});
