// Power cuts: the server is killed with -9 while readers report page views, and started again on the same folder.
// Every view it acknowledged is there, and none is there twice, also when senders send again what was not answered.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

/** How often the power goes. AFTERWORD_TEST_KILLS=25 for the long run. */
const KILLS = Number(process.env.AFTERWORD_TEST_KILLS ?? 3);
const ARTICLES = 40;
const SENDERS = 8;
const VIEWS_A_BATCH = 5;
/** Batches acknowledged before each cut, so that something is always at stake. */
const ACKNOWLEDGED_BEFORE_KILL = 20;

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const articleUrl = (article: number) => `https://kill.example/article-${article}`;

let server: TestServer;
let site: TestSite;

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'kill.example');
  const keys = { apikey: site.apikey, secret: site.write_secret };
  for (let article = 0; article < ARTICLES; article++) {
    const metadata = { canonical_url: articleUrl(article), title: `Article ${article}` };
    expect(await postJson(server, '/v2/metadata/posts', { ...keys, metadata })).toEqual({ data: [], success: true });
  }
});

afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

interface Batch {
  events: { idsite: string; action: string; url: string; eid: string; data: { parsely_site_uuid: string } }[];
}

let made = 0;
function nextBatch(): Batch {
  const events = Array.from({ length: VIEWS_A_BATCH }, () => {
    const id = made++;
    return {
      idsite: site.apikey,
      action: 'pageview',
      url: articleUrl(id % ARTICLES),
      eid: `event-${id}`,
      data: { parsely_site_uuid: `visitor-${id % 17}` },
    };
  });
  return { events };
}

/** @returns whether the batch was acknowledged. */
async function send(batch: Batch): Promise<boolean> {
  const headers = { 'Content-Type': 'text/plain', 'User-Agent': BROWSER };
  const response = await fetch(`${server.url}/events`, { method: 'POST', headers, body: JSON.stringify(batch) }).catch(
    (error: unknown) => {
      // The connection broke: whether the batch was stored, nobody can tell.
      if (error instanceof TypeError) return undefined;
      throw error;
    },
  );
  return response?.status === 200;
}

/** Views by article, as the API tells them. */
async function countViews(): Promise<Map<string, number>> {
  const params = { apikey: site.apikey, secret: site.secret, period_start: '1d', limit: ARTICLES };
  const { data } = await getJson<{ data: { url: string; _hits: number }[] }>(server, '/v2/analytics/posts', params);
  return new Map(data.map(({ url, _hits }) => [url, _hits]));
}

function tally(batches: readonly Batch[]): Map<string, number> {
  const views = new Map<string, number>();
  for (const { url } of batches.flatMap(({ events }) => events)) views.set(url, (views.get(url) ?? 0) + 1);
  return views;
}

test(
  `through ${KILLS} power cuts no acknowledged view is lost, and none is counted twice`,
  async () => {
    const acknowledged: Batch[] = [];
    const unanswered: Batch[] = [];

    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.length;
      let powered = true;
      const senders = Array.from({ length: SENDERS }, async () => {
        while (powered) {
          const batch = nextBatch();
          const known = await send(batch);
          (known ? acknowledged : unanswered).push(batch);
          if (!known) return;
        }
      });
      await until('enough is acknowledged', () => acknowledged.length - before >= ACKNOWLEDGED_BEFORE_KILL);
      await server.kill();
      powered = false;
      await Promise.all(senders);
      server = await startServer({ dataDir: server.dataDir });

      const counted = await countViews();
      const least = tally(acknowledged);
      const most = tally([...acknowledged, ...unanswered]);
      for (let article = 0; article < ARTICLES; article++) {
        const url = articleUrl(article);
        const views = counted.get(url) ?? 0;
        expect({ kill, url, lost: views < (least.get(url) ?? 0), twice: views > (most.get(url) ?? 0) }).toEqual({
          kill,
          url,
          lost: false,
          twice: false,
        });
      }
    }

    // Senders never learnt what became of these, and the last acknowledged ones are sent again for good measure.
    const again = [...unanswered, ...acknowledged.slice(-50)];
    expect(await Promise.all(again.map(send))).not.toContain(false);
    expect(await countViews()).toEqual(tally([...acknowledged, ...unanswered]));
  },
  20_000 + KILLS * 10_000,
);
