// Two copies of the server on one ClickHouse server, nginx with the shipped configuration in front, and traffic from many networks while
// both copies are restarted one after the other, as the handbook says.
import { startClickHouse } from '../../test/support/clickhouse.ts';
import { runCommand } from '../../test/support/command.ts';
import { makeDataDir, removeDataDirs } from '../../test/support/dataDir.ts';
import { freePorts } from '../../test/support/ports.ts';
import { startServer, type TestServer } from '../../test/support/server.ts';
import { startProxy, writeNginx } from '../../test/support/shippedProxies.ts';
import { until } from '../../test/support/until.ts';
import { openPaper } from './livePaper.ts';
import { type LoadSample, startLoad } from './load.ts';

export const EVENTS_A_BATCH = 2;
/** Of all requests; the rest asks for `/top`. */
const SHARES = { events: 0.5, related: 0.3, top: 0.2 };
/** Readers' addresses, by which nginx chooses the copy; each in a network of its own, as far as limits go by networks. */
export const READERS = Array.from({ length: 40 }, (_, reader) => `127.0.${reader + 1}.1`);
const CONNECTIONS = 1_000;
const STORED_MS = 60_000;
/** From ready to the next restart, as docs/operate.md says: until then nginx may still count the copy out. */
const FAIL_TIMEOUT_MS = 3_000;

export interface Restarted {
  samples: Record<keyof typeof SHARES, LoadSample>;
  restarts: { stopMs: number; startMs: number }[];
  /** Rows of events in the database, and how many of them are there more than once. */
  stored: number;
  doubled: number;
  /** Page views as the interface counts them. */
  counted: number;
  seconds: number;
}

/**
 * @param asked.rate Requests a second.
 * @param asked.seconds How long traffic comes; longer where both restarts take longer.
 */
export async function restartUnderTraffic(
  nginx: string,
  { rate, seconds, pages }: { rate: number; seconds: number; pages: number },
): Promise<Restarted> {
  const clickhouse = await startClickHouse(makeDataDir());
  const [proxyPort, ...ports] = (await freePorts(3)) as [number, number, number];
  const flagsOf = (port: number) => ['--port', String(port), '--trusted-proxies=1', '--clickhouse-url', clickhouse.url];
  const copies: TestServer[] = [];
  let stopProxy = async () => {};
  try {
    const { server, site, views } = await openPaper(pages, { flags: flagsOf(ports[0]) });
    copies.push(server, await startServer({ flags: flagsOf(ports[1]) }));
    const url = `http://127.0.0.1:${proxyPort}`;
    const to = copies.map((copy) => copy.url) as [string, string];
    stopProxy = await startProxy(nginx, writeNginx(makeDataDir(), { port: proxyPort, to }), url);
    const related = `/v2/related?apikey=${site.apikey}&url=https://${site.apikey}/articles/{page}`;
    for (const copy of copies) await until('a copy has the site in memory', () => isWarm(copy, related));

    const common = { url, site: site.apikey, pages, connections: CONNECTIONS, from: READERS };
    const loads = {
      events: await startLoad({ ...common, ask: 'events', batch: EVENTS_A_BATCH, perSecond: rate * SHARES.events }),
      related: await startLoad({ ...common, ask: { path: related }, perSecond: rate * SHARES.related }),
      top: await startLoad({
        ...common,
        ask: { path: `/v2/top/posts?apikey=${site.apikey}` },
        perSecond: rate * SHARES.top,
      }),
    };
    const start = performance.now();
    const part = (seconds * 1000) / 4;
    const restarts: Restarted['restarts'] = [];
    for (const [turn, port] of ports.entries()) {
      await sleep(turn === 0 ? part : Math.max(part, FAIL_TIMEOUT_MS));
      restarts.push(await restart(copies, turn, flagsOf(port)));
    }
    await sleep(Math.max(part, seconds * 1000 - (performance.now() - start)));
    const lasted = (performance.now() - start) / 1000;
    const [events, relatedSample, top] = await Promise.all(
      [loads.events, loads.related, loads.top].map((load) => load.stop()),
    );
    const rows = async () =>
      (await clickhouse.ask('SELECT count(), uniqExact(key) FROM events')).split('\t').map(Number) as [number, number];
    // What waits in a write-ahead log is in the table seconds later. What never comes is said in the table of the bench.
    const isStored = async () => (await rows())[1] >= events!.events;
    await until('all events are stored', isStored, STORED_MS).catch((error: unknown) => console.error(error));
    // Views of the engine write the sums of an insert a moment after its events.
    const isCounted = async () => (await views()) >= events!.views;
    await until('all page views are counted', isCounted, STORED_MS).catch((error: unknown) => console.error(error));
    const [stored, different] = await rows();
    return {
      samples: { events: events!, related: relatedSample!, top: top! },
      restarts,
      stored,
      doubled: stored - different,
      counted: await views(),
      seconds: lasted,
    };
  } finally {
    await stopProxy();
    await Promise.all(copies.map((copy) => copy.stop()));
    await clickhouse.kill();
    await removeDataDirs();
  }
}

/** As docs/operate.md says: SIGTERM, start, wait until it is ready. */
async function restart(copies: TestServer[], turn: number, flags: readonly string[]) {
  const { dataDir, stop } = copies[turn]!;
  const start = performance.now();
  await stop('SIGTERM');
  const stopped = performance.now();
  copies[turn] = await startServer({ dataDir, flags });
  await until('the copy is ready', async () => (await runCommand(['health', '--ready', '--data', dataDir])).code === 0);
  return { stopMs: stopped - start, startMs: performance.now() - stopped };
}

async function isWarm({ url }: TestServer, related: string): Promise<boolean> {
  const answer = await fetch(url + related.replace('{page}', '1'));
  return answer.ok && !answer.headers.has('Afterword-Index');
}

type Samples = Restarted['samples'];

export const totalOf = (samples: Samples, figure: (sample: LoadSample) => number): number =>
  Object.values(samples).reduce((sum, sample) => sum + figure(sample), 0);

export const begunOf = ({ answered, refused, failed }: LoadSample) => answered + refused + failed;
export const failuresOf = ({ refused, failed }: LoadSample) => refused + failed;

/** Failures of all kinds of requests, by the status or the error. */
export function problemsOf(samples: Samples): Record<string, number> {
  const all = Object.entries(samples).flatMap(([kind, { problems }]) =>
    Object.entries(problems).map(([problem, count]) => [`${kind} ${problem}`, count] as const),
  );
  return Object.fromEntries(all);
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
