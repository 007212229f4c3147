// Readers who report page views by every door, each view a page of its own, and remember what the server acknowledged: so that
// after a catastrophe every single view can be looked for.
//
//   const readers = createReaders(site.apikey);
//   await readers.send(server);                 one batch, by the next door; whether it was acknowledged
//   await readers.sendAgain(server);            what was never answered, and some of what was
//   expect(await readers.compare(server)).toEqual({ lost: [], twice: [], strange: [] });
import { runCommand } from './command.ts';
import { getJson } from './http.ts';
import { allStored, type TestSite } from './server.ts';

/** Pages are on a port nobody listens on: whoever wants to read them finds out without leaving this machine. */
const HOST = 'localhost:9';
/** What `addSite` needs, so that these pages belong to the site. */
export const BEACON_FLAGS = ['--domain', HOST] as const;

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const VIEWS_A_BATCH = 3;
/** Of the acknowledged ones, how many are sent once more. */
const SENT_AGAIN = 60;

interface Views {
  urls: string[];
  request(): [path: string, init: RequestInit];
}

type Door = (views: { site: string; urls: string[]; number: number }) => ReturnType<Views['request']>;

const query = (path: string, fields: Record<string, string>): [string, RequestInit] => [
  `${path}?${new URLSearchParams(fields)}`,
  {},
];
const post = (path: string, body: string): [string, RequestInit] => [path, { method: 'POST', body }];

/** Each as its senders send it, each with what tells a repeated event. */
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
  /** @returns How many of these were not acknowledged either. */
  sendAgain(server: { url: string }): Promise<number>;
  /** Views that were acknowledged. */
  acknowledged(): number;
  /** Views nobody knows the fate of. */
  unanswered(): number;
  /** Looks for every view in what the site has stored. */
  compare(server: { url: string; dataDir: string }, within?: readonly string[]): Promise<Comparison>;
}

interface Comparison {
  /** Acknowledged, and not there. */
  lost: string[];
  twice: string[];
  /** There, and never sent. */
  strange: string[];
}

export function createReaders(site: string): Readers {
  const acknowledged: Views[] = [];
  let unanswered: Views[] = [];
  let made = 0;

  function nextBatch(): Views {
    const [door, toRequest] = Object.entries(DOORS)[made % Object.keys(DOORS).length]!;
    const number = made++;
    const views = Array.from({ length: PIXELS.includes(door) ? 1 : VIEWS_A_BATCH }, (_, view) => `${number}-${view}`);
    const urls = views.map((name) => `http://${HOST}/${name}`);
    const request = toRequest({ site, urls, number });
    // Made once: a sender repeats what it sent.
    return { urls, request: () => request };
  }

  async function deliver(server: { url: string }, batch: Views): Promise<boolean> {
    const [path, init] = batch.request();
    const answer = await fetch(`${server.url}${path}`, { ...init, headers: { 'User-Agent': BROWSER } }).catch(broken);
    await answer?.arrayBuffer().catch(broken);
    const known = answer?.status === 200;
    (known ? acknowledged : unanswered).push(batch);
    return known;
  }

  return {
    send: (server) => deliver(server, nextBatch()),
    async sendAgain(server) {
      const again = unanswered;
      unanswered = [];
      await Promise.all(again.map((batch) => deliver(server, batch)));
      await Promise.all(acknowledged.splice(-SENT_AGAIN).map((batch) => deliver(server, batch)));
      return unanswered.length;
    },
    acknowledged: () => count(acknowledged),
    unanswered: () => count(unanswered),
    async compare(server, within) {
      await allStored(server);
      const { code, stdout, stderr } = await runCommand(
        ['export', 'views', site, '--data', server.dataDir],
        {},
        within,
      );
      if (code !== 0) throw new Error(stderr);
      const stored = stdout.split('\n').flatMap((line): string[] => (line === '' ? [] : [JSON.parse(line).url]));
      const there = new Set(stored);
      const sent = new Set([...acknowledged, ...unanswered].flatMap(({ urls }) => urls));
      return {
        lost: acknowledged.flatMap(({ urls }) => urls).filter((url) => !there.has(url)),
        twice: stored.filter((url, at) => stored.indexOf(url) !== at),
        strange: stored.filter((url) => !sent.has(url)),
      };
    },
  };
}

/** All views of a site, as the roll-ups tell them. */
export async function countViews(server: { url: string }, { apikey, secret }: TestSite): Promise<number> {
  await allStored(server);
  const params = { apikey, secret, period_start: '2d', sort: 'views' };
  const { data } = await getJson<{ data?: { metrics: { views: number } }[] }>(server, '/v2/analytics/channels', params);
  return (data ?? []).reduce((sum, { metrics }) => sum + metrics.views, 0);
}

const count = (batches: readonly Views[]) => batches.reduce((sum, { urls }) => sum + urls.length, 0);

/** The connection broke: whether the batch was stored, nobody can tell. */
function broken(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
