// Three times the events the server can store, for a minute: is anything acknowledged lost, does memory stay bounded, do readers still
// get their lists? `--seconds 10` to try it out.
import { parseArgs } from 'node:util';
import { removeDataDirs } from '../test/support/dataDir.ts';
import { until } from '../test/support/until.ts';
import { type LivePaper, openPaper } from './support/livePaper.ts';
import { type LoadSample, startLoad } from './support/load.ts';
import type { Bench } from './support/table.ts';

const PAGES = 500;
const BATCH = 20;
const TIMES = 3;
/** Who can be under way at once: more than any server wants to answer at once. */
const CROWD = 4_000;
/** Who waits for an answer before sending again, to find what can be taken. */
const TRIAL = 1_000;
const LOOK_MS = 1_000;

export interface Overload {
  /** Events a second that were stored when as many came as were answered. */
  sustained: number;
  offered: number;
  events: LoadSample;
  top: LoadSample;
  related: LoadSample;
  /** Page views the interface counts afterwards. */
  counted: number;
  memory: { before: number; most: number; after: number };
  seconds: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '60' } } });
  const paper = await openPaper(PAGES);
  const found = await overload(paper, { seconds: Number(values.seconds), measured: 10 });
  await paper.server.stop();
  await removeDataDirs();
  const { events, top, related, counted, memory } = found;
  const unknown = events.failed * BATCH;
  if (counted < events.views || counted > events.views + unknown)
    throw new Error(`${events.views} page views acknowledged, ${counted} counted, ${events.failed} batches unanswered`);
  const perSecond = (count: number) => Math.round(count / found.seconds).toLocaleString('en');
  const reads = ({ p50, p99, longest, answered, refused, failed }: LoadSample) =>
    `${p50} / ${p99} / ${longest} ms; ${answered} answered, ${refused + failed} not`;
  return {
    title: `${TIMES} times the load it can take, for ${found.seconds} s`,
    columns: ['what', 'measured'],
    rows: [
      ['events stored a second, as many as are answered', Math.round(found.sustained).toLocaleString('en')],
      ['events offered a second', Math.round(found.offered).toLocaleString('en')],
      ['of these stored', perSecond(events.events)],
      ['of these refused with 503', perSecond(events.refused * BATCH)],
      ['of these never begun: the crowd waited for answers', perSecond(events.heldBack * BATCH)],
      ['of these unanswered (connection broke)', perSecond(unknown)],
      ['answered in, p50 / p99', `${events.p50} / ${events.p99} ms`],
      ['page views acknowledged, and counted afterwards', `${events.views} / ${counted}`],
      ['/top, p50 / p99 / longest', reads(top)],
      ['/related, p50 / p99 / longest', reads(related)],
      ['resident memory before, most, after', `${memory.before} / ${memory.most} / ${memory.after} MB`],
    ],
    notes: [
      `Batches of ${BATCH}, at most ${CROWD} under way; ${PAGES} articles; 25 /top and 25 /related a second from memory. Senders share the cores at a lower priority.`,
    ],
  };
};

export default bench;

/** Loads a server beyond what it can take. */
export async function overload(
  { server, site, pages, metrics, views }: LivePaper,
  {
    seconds,
    measured,
    offered,
  }: { seconds: number; measured: number /** Default: three times what it took. */; offered?: 'most' },
): Promise<Overload> {
  const common = { url: server.url, site: site.apikey, pages };
  const events = { ...common, ask: 'events', batch: BATCH, niceness: 10 } as const;
  const memory = async () => Math.round(((await metrics()).get('process_resident_memory_bytes') ?? 0) / 1e6);

  const trial = await startLoad({ ...events, perSecond: 'most', connections: TRIAL });
  await sleep(measured * 1000);
  const tried = await trial.stop();
  const sustained = tried.events / measured;

  const before = await memory();
  let most = before;
  const at = (path: string) => startLoad({ ...common, ask: { path }, perSecond: 25 });
  const top = await at(`/v2/top/posts?apikey=${site.apikey}&days=1`);
  const related = await at(`/v2/related?apikey=${site.apikey}&url=https://${site.apikey}/articles/{page}`);
  const crowd = await startLoad({ ...events, perSecond: offered ?? (sustained / BATCH) * TIMES, connections: CROWD });
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    await sleep(LOOK_MS);
    most = Math.max(most, await memory());
  }
  const [readsOfTop, readsOfRelated] = await Promise.all([top.stop(), related.stop()]);
  const taken = await crowd.stop();
  await until('nothing waits any more', async () => {
    const now = await metrics();
    return now.get('afterword_ingest_waiting_events') === 0 && now.get('afterword_spool_groups') === 0;
  });
  return {
    sustained,
    offered: sustained * TIMES,
    events: taken,
    top: readsOfTop,
    related: readsOfRelated,
    counted: (await views()) - tried.views,
    memory: { before, most, after: await memory() },
    seconds,
  };
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
