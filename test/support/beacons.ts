// Readers who report page views by every door, each view a page of its own, and remember what the server acknowledged: so that
// after a catastrophe every single view can be looked for.
//
//   const readers = createReaders(site.apikey);
//   await readers.send(server);                 one batch, by the next door; whether it was acknowledged
//   await readers.sendAgain(server);            what was never answered, and some of what was
//   expect(await readers.compare(server)).toEqual({ lost: [], twice: [], strange: [] });
import { pick, type Random } from '../../demo/world/random.ts';
import { runCommand } from './command.ts';
import { getJson } from './http.ts';
import { allStored, type TestSite } from './server.ts';

/** Pages are on a port without a listener: a crawler that wants to read them fails without leaving this machine. */
const HOST = 'localhost:9';
/** What `addSite` needs, so that these pages belong to the site. */
export const BEACON_FLAGS = ['--domain', HOST] as const;

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const VIEWS_A_BATCH = 3;
/** Of the acknowledged ones, how many are sent once more. */
const SENT_AGAIN = 60;

/** Batches resent at the same moment. */
const AT_ONCE = 100;

interface Views {
  urls: string[];
  /** Acknowledged, once at least. */
  known: boolean;
  request(): [path: string, init: RequestInit];
}

type Door = (views: { site: string; urls: string[]; number: number }) => ReturnType<Views['request']>;

const query = (path: string, fields: Record<string, string>): [string, RequestInit] => [
  `${path}?${new URLSearchParams(fields)}`,
  {},
];
const post = (path: string, body: string): [string, RequestInit] => [path, { method: 'POST', body }];

/** Each as its senders send it, each with what identifies a repeated event. */
const DOORS: Record<string, Door> = {
  '/events': ({ site, urls }) => {
    const events = urls.map((url) => ({ idsite: site, action: 'pageview', url, eid: url }));
    return post('/events', JSON.stringify({ events }));
  },
  '/plogger/': ({ site, urls, number }) =>
    query('/plogger/', {
      idsite: site,
      action: 'pageview',
      url: urls[0]!,
      rand: String(number),
      u: `reader-${number % 9}`,
    }),
  '/mobileproxy': ({ site, urls }) => {
    const data = { ts: Date.now(), parsely_site_uuid: 'device' };
    return post(
      '/mobileproxy',
      JSON.stringify({ events: urls.map((url) => ({ idsite: site, action: 'pageview', url, data })) }),
    );
  },
  '/px/': ({ site, urls, number }) =>
    query('/px/', { idsite: site, action: 'pageview', url: urls[0]!, rand: String(number) }),
  '/mobileproxy, old apps': ({ site, urls }) => {
    const events = urls.map((url) => ({ url, ts: Math.floor(Date.now() / 1000) }));
    return post(
      '/mobileproxy',
      new URLSearchParams({ rqs: JSON.stringify({ data: { idsite: site }, events }) }).toString(),
    );
  },
};
const PIXELS = ['/plogger/', '/px/'];

export interface Readers {
  /** @returns Whether the batch was acknowledged. */
  send(server: { url: string }): Promise<boolean>;
  /**
   * Sends one batch once more: one that was not acknowledged, or where there is none, one that was.
   * @returns Whether it was acknowledged; undefined: nothing was sent yet.
   */
  resend(server: { url: string }, random: Random): Promise<boolean | undefined>;
  /** @returns Views that are not acknowledged still. */
  sendAgain(server: { url: string }): Promise<number>;
  /** Views that were acknowledged. */
  acknowledged(): number;
  /** Views of which it is unknown whether they are stored. */
  unanswered(): number;
  /** Batches that were sent more than once, each time counted. */
  resent(): number;
  /** Answers that were neither an acknowledgement nor a temporary refusal, by status. */
  oddAnswers(): ReadonlyMap<number, number>;
  /** Addresses of the views that were acknowledged. */
  acknowledgedUrls(): string[];
  /** Looks for every view among addresses that were found. Nothing is under way meanwhile. */
  compareTo(stored: readonly string[]): Comparison;
  /** Looks for every view in what the site has stored. */
  compare(server: { url: string; dataDir: string }, within?: readonly string[]): Promise<Comparison>;
}

export interface Comparison {
  /** Acknowledged, and not there. */
  lost: string[];
  twice: string[];
  /** There, and never sent. */
  strange: string[];
}

/** @param viewsABatch Of the doors that take batches; default: 3. */
export function createReaders(site: string, { viewsABatch = VIEWS_A_BATCH } = {}): Readers {
  const sent: Views[] = [];
  const acknowledged = () => sent.filter(({ known }) => known);
  const unanswered = () => sent.filter(({ known }) => !known);
  const oddAnswers = new Map<number, number>();
  let made = 0;
  let resent = 0;

  function nextBatch(): Views {
    const [door, toRequest] = Object.entries(DOORS)[made % Object.keys(DOORS).length]!;
    const number = made++;
    const views = Array.from({ length: PIXELS.includes(door) ? 1 : viewsABatch }, (_, view) => `${number}-${view}`);
    const urls = views.map((name) => `http://${HOST}/${name}`);
    const request = toRequest({ site, urls, number });
    // Made once: a sender repeats what it sent.
    const batch = { urls, known: false, request: () => request };
    sent.push(batch);
    return batch;
  }

  async function deliver(server: { url: string }, batch: Views): Promise<boolean> {
    const [path, init] = batch.request();
    const answer = await fetch(`${server.url}${path}`, { ...init, headers: { 'User-Agent': BROWSER } }).catch(broken);
    await answer?.arrayBuffer().catch(broken);
    if (answer && answer.status !== 200 && answer.status !== 503)
      oddAnswers.set(answer.status, (oddAnswers.get(answer.status) ?? 0) + 1);
    const known = answer?.status === 200;
    batch.known ||= known;
    return known;
  }

  function deliverAgain(server: { url: string }, batch: Views): Promise<boolean> {
    resent++;
    return deliver(server, batch);
  }

  function compare(stored: readonly string[]): Comparison {
    const there = new Set<string>();
    const twice = stored.filter((url) => there.has(url) || !there.add(url));
    const ours = new Set(urlsOf(sent));
    return {
      lost: urlsOf(acknowledged()).filter((url) => !there.has(url)),
      twice,
      strange: stored.filter((url) => !ours.has(url)),
    };
  }

  return {
    send: (server) => deliver(server, nextBatch()),
    async resend(server, random) {
      const waiting = unanswered();
      const batches = waiting.length > 0 ? waiting : sent;
      return batches.length === 0 ? undefined : await deliverAgain(server, pick(random, batches));
    },
    async sendAgain(server) {
      const again = [unanswered(), acknowledged().slice(-SENT_AGAIN)];
      for (const batches of again) {
        for (let at = 0; at < batches.length; at += AT_ONCE)
          await Promise.all(batches.slice(at, at + AT_ONCE).map((batch) => deliverAgain(server, batch)));
      }
      return count(unanswered());
    },
    acknowledged: () => count(acknowledged()),
    unanswered: () => count(unanswered()),
    acknowledgedUrls: () => urlsOf(acknowledged()),
    resent: () => resent,
    oddAnswers: () => oddAnswers,
    compareTo: compare,
    compare: async (server, within) => compare(await storedViews(server, site, within)),
  };
}

/** Addresses of all views in the table of events, once all are there. */
async function storedViews(
  server: { url: string; dataDir: string },
  site: string,
  within?: readonly string[],
): Promise<string[]> {
  await allStored(server);
  return await exportedViews(server.dataDir, site, within);
}

/** The same of a folder, whether a server runs on it or not. */
export async function exportedViews(dataDir: string, site: string, within?: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(['export', 'views', site, '--data', dataDir], {}, within);
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n').flatMap((line): string[] => (line === '' ? [] : [JSON.parse(line).url]));
}

/** All views of a site, as the roll-ups tell them. */
export async function countViews(server: { url: string }, site: TestSite): Promise<number> {
  await allStored(server);
  return await viewsCounted(server, site);
}

/** The same, of what is in the tables already. */
export async function viewsCounted(server: { url: string }, { apikey, secret }: TestSite): Promise<number> {
  const params = { apikey, secret, period_start: '2d', sort: 'views' };
  const { data } = await getJson<{ data?: { metrics: { views: number } }[] }>(server, '/v2/analytics/channels', params);
  return (data ?? []).reduce((sum, { metrics }) => sum + metrics.views, 0);
}

const urlsOf = (batches: readonly Views[]) => batches.flatMap(({ urls }) => urls);
const count = (batches: readonly Views[]) => batches.reduce((sum, { urls }) => sum + urls.length, 0);

/** The connection broke: whether the batch was stored is unknown. */
function broken(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
