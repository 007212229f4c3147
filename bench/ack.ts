// How long POST /events takes until it is acknowledged, for 1, 4, 16 and 64 senders of one event each; each sends again
// when it was answered. Beside it, how long an event takes from the sync in the write-ahead log into the tables.
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { buildServer, onTwoCores, startIngest } from './support/ingestProcess.ts';
import type { Bench } from './support/table.ts';

const SENDERS = [1, 4, 16, 64];
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
  for (const senders of SENDERS) rows.push(await measure(senders, seconds));
  return {
    title: 'Time until POST /events is acknowledged',
    columns: ['senders', 'events a second', 'acknowledged in (median)', 'p99', 'in the tables after (median)', 'p99'],
    rows,
    notes: [
      `One event a request, ${seconds} s a row, everything ${where}; senders share the cores. Acknowledged: synced in the write-ahead log. In the tables: from that sync, of the oldest event of each insert; every acknowledged event was stored once.`,
    ],
  };
};

export default bench;

async function measure(senders: number, seconds: number): Promise<(string | number)[]> {
  const server = await startIngest('ours');
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  try {
    const warm = await load(server.url, { senders, ms: WARM_MS, agent });
    await server.state();
    const times = await load(server.url, { senders, ms: seconds * 1_000, agent });
    const { delays } = await server.state();
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
    ];
  } finally {
    agent.destroy();
    server.close();
  }
}

interface Load {
  senders: number;
  ms: number;
  agent: Agent;
}

/** @returns Milliseconds of each request. */
async function load(url: string, { senders, ms, agent }: Load): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  const sender = async () => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await send(url, agent);
      times.push(performance.now() - start);
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
