// One kind of traffic at a steady rate, in a process of its own, so that measuring does not wait behind what is measured. Requests are
// begun when their time has come, whether or not earlier ones were answered, as readers do who know nothing of each other.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface LoadPlan {
  /** Origin of the server. */
  url: string;
  site: string;
  /** `events`: batches of page views and heartbeats for POST /events. Else a path, with `{page}` for the number of a page. */
  ask: 'events' | { path: string };
  /** Requests begun a second; `most`: as many as are answered. */
  perSecond: number | 'most';
  /** Requests under way at most: what would be begun beyond that is counted as held back. Default: 64. */
  connections?: number;
  /** Events of a batch. Default: 10. */
  batch?: number;
  pages: number;
  /** Addresses of this machine that requests come from in turn: a proxy may balance by them. Default: as the system likes. */
  from?: readonly string[];
  /** Lower than everybody else's, from 0 to 19: senders are other machines in truth. Default: 0. */
  niceness?: number;
}

/** What came of the requests that were answered since the last look. */
export interface LoadSample {
  answered: number;
  refused: number;
  failed: number;
  heldBack: number;
  /** Of those refused or failed: how often each status, and each error of a connection. */
  problems: Record<string, number>;
  /** Of the requests answered with 200: events, and page views among them. */
  events: number;
  views: number;
  /** Events of one request. */
  perRequest: number;
  /** Milliseconds, of requests answered with 200. */
  p50: number;
  p99: number;
  longest: number;
}

export interface Load {
  /** Since the last look. */
  look(): Promise<LoadSample>;
  /** Since the start. Begins nothing more, and waits for what is under way. */
  stop(): Promise<LoadSample>;
}

const PROGRAM = fileURLToPath(import.meta.url);
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const TICK_MS = 10;
const BATCH = 10;
const LONGEST_MS = 60_000;

/** Resolves when it has begun: a busy machine takes seconds to start a process. */
export async function startLoad(plan: LoadPlan): Promise<Load> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(PROGRAM, [JSON.stringify(plan)], { execArgv: ['--import', loader] });
  await once(child, 'message');
  const ask = async (command: string): Promise<LoadSample> => {
    child.send(command);
    const [sample] = await once(child, 'message');
    return sample as LoadSample;
  };
  return { look: () => ask('look'), stop: () => ask('stop') };
}

if (process.send && process.argv[2]?.startsWith('{')) generate(JSON.parse(process.argv[2]) as LoadPlan);

function createCounts(perRequest: number) {
  /** How many answers took how many milliseconds. */
  const times = new Uint32Array(LONGEST_MS + 1);
  const counts = { answered: 0, refused: 0, failed: 0, heldBack: 0, events: 0, views: 0 };
  const problems: Record<string, number> = {};
  const quantile = (share: number) => {
    let left = Math.ceil(counts.answered * share);
    const at = times.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return counts.answered === 0 ? 0 : at;
  };
  return {
    counts,
    met(problem: string) {
      problems[problem] = (problems[problem] ?? 0) + 1;
    },
    took(milliseconds: number) {
      counts.answered++;
      times[Math.min(LONGEST_MS, Math.round(milliseconds))]!++;
    },
    sample: (): LoadSample => ({
      ...counts,
      problems,
      perRequest,
      p50: quantile(0.5),
      p99: quantile(0.99),
      longest: Math.max(
        0,
        times.findLastIndex((count) => count > 0),
      ),
    }),
  };
}

function generate(plan: LoadPlan): void {
  const { url, perSecond, connections = 64, from = [], niceness = 0 } = plan;
  if (niceness > 0) setPriority(niceness);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const perRequest = plan.ask === 'events' ? (plan.batch ?? BATCH) : 0;
  const ever = createCounts(perRequest);
  let lately = createCounts(perRequest);
  let underWay = 0;
  let begun = 0;
  let owed = 0;
  let stopped = false;
  let last = performance.now();
  const next = createRequests(plan);

  function begin(): void {
    const { path, body, events, views } = next();
    const start = performance.now();
    underWay++;
    const done = (note: (counts: ReturnType<typeof createCounts>) => void) => {
      underWay--;
      note(ever);
      note(lately);
      if (perSecond === 'most' && !stopped) begin();
    };
    const post = body !== undefined;
    const headers = { 'User-Agent': BROWSER, ...(post && { 'Content-Length': Buffer.byteLength(body) }) };
    const localAddress = from[begun++ % from.length];
    const how = { agent, method: post ? 'POST' : 'GET', headers, ...(localAddress && { localAddress }) };
    const sent = request(url + path, how, (response) => {
      response.resume().once('end', () =>
        done((counts) => {
          if (response.statusCode !== 200) {
            counts.counts.refused++;
            counts.met(String(response.statusCode));
          } else {
            counts.took(performance.now() - start);
            counts.counts.events += events;
            counts.counts.views += views;
          }
        }),
      );
    });
    sent.once('error', (error: NodeJS.ErrnoException) =>
      done((counts) => {
        counts.counts.failed++;
        counts.met(error.code ?? error.message);
      }),
    );
    sent.end(body);
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (perSecond !== 'most') owed += ((now - last) / 1000) * perSecond;
    last = now;
    for (; owed >= 1; owed--) {
      if (underWay < connections) begin();
      else for (const of of [ever, lately]) of.counts.heldBack++;
    }
  }, TICK_MS);
  if (perSecond === 'most') for (let n = 0; n < connections; n++) begin();

  process.on('message', async (command) => {
    if (command === 'look') {
      const sample = lately.sample();
      lately = createCounts(perRequest);
      process.send!(sample);
      return;
    }
    stopped = true;
    clearInterval(timer);
    while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    process.send!(ever.sample(), () => process.disconnect());
  });
  process.send!('begun');
}

/** Few pages are read by most, most readers come seldom. */
function createRequests({ site, ask, pages, batch = BATCH }: LoadPlan) {
  const run = crypto.randomUUID().slice(0, 8);
  let made = 0;
  const page = () => Math.floor((((made * 7919) % 100_003) / 100_003) ** 3 * pages);
  const event = () => {
    made++;
    return {
      idsite: site,
      action: made % 2 === 0 ? 'pageview' : 'heartbeat',
      url: `https://${site}/articles/${page()}`,
      urlref: made % 10 === 0 ? 'https://www.google.com/' : '',
      inc: 5,
      eid: `${run}-${made}`,
      data: { parsely_site_uuid: `visitor-${(made * 104_729) % 50_021}` },
    };
  };
  return (): { path: string; body?: string; events: number; views: number } => {
    if (ask !== 'events') {
      made++;
      return { path: ask.path.replace('{page}', String(page())), events: 0, views: 0 };
    }
    const events = Array.from({ length: batch }, event);
    const views = events.filter(({ action }) => action === 'pageview').length;
    return { path: '/events', body: JSON.stringify({ events }), events: batch, views };
  };
}
