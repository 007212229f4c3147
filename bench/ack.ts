// How long POST /events takes until it is acknowledged, for one event ten times a second, and for 1, 4, 16 and 64 senders of
// one event each; each sends again when it was answered. Beside it, how long an event takes from the sync in the write-ahead
// log into the tables, and the processor time of the server.
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildServer, onTwoCores, startIngest } from './support/ingestProcess.ts';
import type { Bench } from './support/table.ts';

const LOADS: readonly Sending[] = [
  { senders: 1, pauseMs: 100 },
  ...[1, 4, 16, 64].map((senders) => ({ senders, pauseMs: 0 })),
];
const MOST_SECONDS = 60;
/** Before each row: code is compiled, and the first file of the log is created. */
const WARM_MS = 1_000;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0';

const bench: Bench = async (args) => {
  const options = { seconds: { type: 'string', default: '5' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) throw new Error(`--seconds is between 1 and ${MOST_SECONDS}.`);
  const where = await onTwoCores();
  await buildServer();
  const rows: (string | number)[][] = [];
  for (const sending of LOADS) rows.push(await measure(sending, seconds));
  return {
    title: 'Time until POST /events is acknowledged',
    columns: [
      'senders',
      'events a second',
      'acknowledged in (median)',
      'p99',
      'in the tables after (median)',
      'p99',
      'processor',
    ],
    rows,
    notes: [
      `One event a request, ${seconds} s a row, everything ${where}; senders share the cores. Acknowledged: synced in the write-ahead log. In the tables: from that sync, of the oldest event of each insert; every acknowledged event was stored once. Processor: of all threads of the server, in cores. The first sender pauses for a tenth of a second after each answer.`,
    ],
  };
};

export default bench;

/** How events are sent. */
interface Sending {
  senders: number;
  /** Of each, after an answer, in milliseconds. */
  pauseMs: number;
}

async function measure({ senders, pauseMs }: Sending, seconds: number): Promise<(string | number)[]> {
  const server = await startIngest('ours');
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  try {
    const warm = await load(server.url, { senders, pauseMs, ms: WARM_MS, agent });
    const before = await server.state();
    const times = await load(server.url, { senders, pauseMs, ms: seconds * 1_000, agent });
    const { delays, cpu } = await server.state();
    const sent = warm.length + times.length;
    const stored = await server.stop();
    if (stored !== sent) throw new Error(`${sent} acknowledged, ${stored} stored`);
    const inMs = (ms: number) => `${ms.toFixed(1)} ms`;
    const delaysMs = delays.map((delay) => delay * 1_000);
    return [
      senders,
      Math.round(times.length / seconds).toLocaleString('en'),
      inMs(quantile(times, 0.5)),
      inMs(quantile(times, 0.99)),
      inMs(quantile(delaysMs, 0.5)),
      inMs(quantile(delaysMs, 0.99)),
      ((cpu - before.cpu) / 1e6 / seconds).toFixed(2),
    ];
  } finally {
    agent.destroy();
    server.close();
  }
}

interface Load extends Sending {
  ms: number;
  agent: Agent;
}

/** @returns Milliseconds of each request. */
async function load(url: string, { senders, pauseMs, ms, agent }: Load): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  const sender = async () => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await send(url, agent);
      times.push(performance.now() - start);
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return times;
}

let made = 0;
function send(url: string, agent: Agent): Promise<void> {
  made += 1;
  const event = {
    idsite: 'bench.example',
    action: 'pageview',
    url: `https://bench.example/${made % 1_000}`,
    eid: `ack-${made}`,
  };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers: { 'User-Agent': AGENT } }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered with ${response.statusCode}`)),
      );
    });
    sending.once('error', reject);
    sending.end(JSON.stringify({ events: [event] }));
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
