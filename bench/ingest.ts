// Events a second through POST /events, each answered when it is fsynced, beside a bare node:http server that parses
// the same JSON and stores nothing, and beside ourselves with parts left out: what each of them costs. What is on the
// disk is on its way into the tables and every roll-up: how fast, and how long after the last answer the last event is
// there, is printed beside it. `--minutes 5` makes it a soak at batches of 10. Everything runs on two cores, the load
// generator too.
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import type { IncomingEvent, ItemSource, ListItem, ListReport } from '../server/contract/wire.ts';
import { buildServer, onTwoCores, startIngest } from './support/ingestProcess.ts';
import type { Kind, State } from './support/ingestServer.ts';
import type { Bench } from './support/table.ts';

const POSTS = 5000;
const VISITORS = 100_000;

/** `report`: of one list, `reports`: of two, of which five items each were seen. `click`: on an item. */
type EventKind = 'pageview' | 'heartbeat' | 'report' | 'reports' | 'click';
/** Kinds of events, in the order in which they are sent, again and again. */
type Mix = readonly EventKind[];

/** Strides that share no factor with the length of a mix put its kinds by turns. */
const STRIDE = 11;
function mixOf(counts: Partial<Record<EventKind, number>>): Mix {
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array<EventKind>(count).fill(kind as EventKind));
  return kinds.map((_, at) => kinds[(at * STRIDE) % kinds.length]!);
}

const VIEWS = mixOf({ pageview: 1, heartbeat: 3 });
/** Each view is reported on, or an item is clicked. */
const LISTS_IN_EACH = mixOf({ pageview: 10, heartbeat: 30, report: 9, click: 1 });
/** A minute of reading: a heartbeat every ten seconds. */
const READING = mixOf({ pageview: 10, heartbeat: 60 });
/** What the demo's readers do with the lists of an article: six of ten see them, two follow a link. */
const READING_WITH_LISTS = mixOf({ pageview: 10, heartbeat: 60, reports: 6, click: 2 });

/** As many readers as send at once; each waits for its answer before it sends again, as a browser does. */
const CONNECTIONS = 1000;

const SAMPLE_MS = 30_000;

/** Positions of items that are seen. */
const PLACES = [1, 2, 3, 4, 5];

const bench: Bench = async (args) => {
  const options = { seconds: { type: 'string', default: '8' }, minutes: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const where = await onTwoCores();
  await buildServer();
  if (values.minutes !== undefined) return await soak(Number(values.minutes), where);
  const seconds = Number(values.seconds);
  const rows: (string | number)[][] = [];
  for (const size of [1, 10, 50]) {
    const beside = async (name: string, mix: Mix, parts: typeof PARTS | readonly []) => {
      const bare = await measure({ kind: 'bare', size, seconds: Math.min(seconds, 8), mix });
      for (const [kind, what] of [['ours', ''] as const, ...parts])
        rows.push(toRow([name, what].filter(Boolean).join(', '), await measure({ kind, size, seconds, mix }), bare));
    };
    await beside(String(size), VIEWS, size === 10 ? PARTS : []);
    if (size !== 10) continue;
    await beside('10, two about lists', LISTS_IN_EACH, PARTS);
    await beside('10, a minute of reading', READING, []);
    await beside('10, a minute of reading, with lists', READING_WITH_LISTS, []);
  }
  return {
    title: 'Durable events a second through POST /events',
    columns: [
      'events a batch',
      'ours',
      'bare node:http',
      'ratio',
      'answered in (median)',
      'p99',
      'into the tables, a second',
      'all there after',
      'CPU an event, ours and bare',
      'resident memory',
    ],
    rows,
    notes: [
      `${CONNECTIONS} connections, ${seconds} s a row, everything ${where}; the load generator shares the cores. An answer means fsynced; every acknowledged event was counted in the tables afterwards, once.`,
      'Into the tables: with every roll-up, while the load lasted. All there after: from the end of the load to the last event in the tables. CPU: of all threads of the server, the database included.',
      'Two about lists: of five events a page view, a report of its list with five items that were seen, or a click, and three heartbeats. A minute of reading: a page view and six heartbeats; with lists, six of ten views are followed by a report of two lists with five items each, and two by a click, as the demo’s readers do. Such a batch is longer, so the bare server parses the same there.',
      `${POSTS} pages, ${VISITORS} visitors, a page view in ten with a referrer, an event in twenty with a campaign; each as the tag writes it, with an id of its own.`,
    ],
  };
};

export default bench;

/** Ourselves with parts left out. */
const PARTS = [
  ['unrolled', 'without any roll-up'],
  ['unstored', 'read and classified, not stored'],
] as const;

function toRow(name: string, ours: Measured, bare: Measured): (string | number)[] {
  return [
    name,
    Math.round(ours.perSecond).toLocaleString('en'),
    Math.round(bare.perSecond).toLocaleString('en'),
    (ours.perSecond / bare.perSecond).toFixed(2),
    `${ours.p50} ms`,
    `${ours.p99} ms`,
    Math.round(ours.absorbed).toLocaleString('en'),
    `${ours.drained.toFixed(1)} s`,
    `${ours.cpu.toFixed(1)} and ${bare.cpu.toFixed(1)} µs`,
    `${ours.samples[0]!.megabytes} → ${ours.samples.at(-1)!.megabytes} MB`,
  ];
}

/** Resident memory every half minute, and events on the disk that are not in the tables. */
async function soak(minutes: number, where: string): ReturnType<Bench> {
  const { samples, events, p99, perSecond, absorbed, drained } = await measure({
    kind: 'ours',
    size: 10,
    seconds: minutes * 60,
    mix: VIEWS,
  });
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return {
    name: 'ingest-memory',
    title: `Resident memory over ${minutes} minutes of POST /events in batches of 10`,
    columns: ['after', 'resident memory', 'events on the disk, not in the tables'],
    rows: samples.map(({ megabytes, behind }, at) => [
      `${((at * SAMPLE_MS) / 60_000).toFixed(1)} min`,
      `${megabytes} MB`,
      count(behind),
    ]),
    notes: [
      `${count(events)} events acknowledged, ${count(perSecond)} a second, and counted in the tables afterwards, once; p99 ${p99} ms. ${CONNECTIONS} connections, everything ${where}.`,
      `${count(absorbed)} a second went into the tables meanwhile; the last was there ${drained.toFixed(1)} s after the end.`,
    ],
  };
}

interface Measured {
  perSecond: number;
  events: number;
  p50: number;
  p99: number;
  /** Events a second that went into the tables while the load lasted. */
  absorbed: number;
  /** Seconds from its end until all were there. */
  drained: number;
  /** Microseconds of the server's threads, an event. */
  cpu: number;
  /** At the start, every half minute, and at the end. */
  samples: { megabytes: number; behind: number }[];
}

async function measure(load: { kind: Kind; size: number; seconds: number; mix: Mix }): Promise<Measured> {
  const server = await startIngest(load.kind);
  try {
    const options = { url: server.url, method: 'POST' as const, connections: CONNECTIONS };
    const requests = [{ setupRequest: (request: object) => ({ ...request, body: batch(load.size, load.mix) }) }];
    const headers = {
      'Content-Type': 'text/plain',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0',
    };
    await autocannon({ ...options, headers, requests, amount: CONNECTIONS });
    const before = CONNECTIONS;
    const start = await server.state();
    const samples = [toSample(start)];
    const sampling = setInterval(async () => samples.push(toSample(await server.state())), SAMPLE_MS);
    const result = await autocannon({
      ...options,
      headers,
      requests,
      amount: undefined,
      duration: load.seconds,
      timeout: 30,
    });
    clearInterval(sampling);
    const ended = performance.now();
    const end = await server.state();
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
    let last = end;
    while (last.behind > 0) last = await server.state();
    const drained = (performance.now() - ended) / 1000;
    samples.push(toSample(last));
    const stored = await server.stop();
    const events = (result['2xx'] + before) * load.size;
    // What was on its way when the time was up is stored too, its answer unread.
    const lost = load.kind === 'bare' ? 0 : events - stored;
    if (lost > 0 || -lost > CONNECTIONS * load.size) throw new Error(`${events} acknowledged, ${stored} stored`);
    const measured = result['2xx'] * load.size;
    return {
      perSecond: measured / result.duration,
      events,
      p50: result.latency.p50,
      p99: result.latency.p99,
      absorbed: (measured - end.behind + start.behind) / result.duration,
      drained,
      cpu: (last.cpu - start.cpu) / measured,
      samples,
    };
  } finally {
    server.close();
  }
}

const toSample = ({ rss, behind }: State) => ({ megabytes: Math.round(rss / 1e6), behind });

let made = 0;

/** As long as the ids that the tag makes. */
const toId = (number: number): string => number.toString(16).padStart(32, '0');

/** Events as the tag writes them. */
function batch(size: number, mix: Mix): string {
  const events: IncomingEvent[] = [];
  for (let index = 0; index < size; index++) {
    made += 1;
    const page = Math.floor((((made * 7919) % 100_003) / 100_003) ** 3 * POSTS);
    const kind = mix[made % mix.length]!;
    events.push({
      idsite: 'bench.example',
      action: kind === 'pageview' || kind === 'heartbeat' ? kind : 'list',
      url: `https://bench.example/articles/${page}${made % 20 === 0 ? '?utm_source=letter&utm_campaign=autumn' : ''}`,
      date: Date.now(),
      eid: toId(made),
      ...detailsOf(kind, page),
      data: { parsely_site_uuid: toId((made * 104_729) % VISITORS) },
    });
  }
  return JSON.stringify({ events });
}

function detailsOf(kind: EventKind, page: number): Partial<IncomingEvent> {
  if (kind === 'pageview') return { urlref: made % 10 === 0 ? 'https://www.google.com/' : '' };
  if (kind === 'heartbeat') return { inc: 10, tt: 30 };
  return { lists: listsOf(kind, page) };
}

function listsOf(kind: 'report' | 'reports' | 'click', page: number): ListReport[] {
  const related = { list: 'related', slot: 'end', layout: 'grid' };
  const item = (position: number, source: ItemSource): ListItem => [
    position,
    `https://bench.example/articles/${(page * 31 + position * 97) % POSTS}`,
    source,
    0,
  ];
  const ofRelated = (position: number) => item(position, position < 4 ? 'words' : 'readers');
  if (kind === 'click') return [{ ...related, shown: false, clicked: [ofRelated(2)] }];
  const first = { ...related, shown: true, seen: PLACES.map(ofRelated) };
  if (kind === 'report') return [first];
  const top = { list: 'top', slot: 'side', layout: 'compact', shown: true };
  return [first, { ...top, seen: PLACES.map((position) => item(position, 'popular')) }];
}
