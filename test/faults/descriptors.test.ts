// The server's descriptors run out while readers send: what it acknowledged is counted once, when there are
// descriptors again.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { countViews } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

afterAll(removeDataDirs);

const run = promisify(execFile);
const SITE = 'few.example';
const SENDERS = 15;
const EVENTS = 20;
/** Batches while there is no descriptor left: many files of the spool begin and end meanwhile. */
const TRIES = 300;
const FLAGS = ['--address-rate', '100000', '--site-rate', '1000000', '--new-urls', '1000000', '--read-rate', '100000'];
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** @returns The status; 0 where the connection broke. */
function post(server: TestServer, agent: Agent, body: string): Promise<number> {
  return new Promise((done) => {
    const headers = { 'User-Agent': AGENT, 'Content-Type': 'text/plain' };
    const sending = request(`${server.url}/events`, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
      response.once('error', () => done(0));
    });
    sending.once('error', () => done(0));
    sending.end(body);
  });
}

let batches = 0;
/** Views of one batch, each with an id of its own: sent again, it is counted once. */
function nextBatch(): string {
  batches += 1;
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    idsite: SITE,
    action: 'pageview',
    url: `https://${SITE}/${batches % 50}`,
    eid: `${batches}-${n}`,
  }));
  return JSON.stringify({ events });
}

/** @param most Descriptors the server may have; those it has stay. @returns The bound before. */
async function limit(server: TestServer, most: number): Promise<number> {
  const pid = ['--pid', String(server.pid)];
  const { stdout } = await run('prlimit', [...pid, '--nofile', '--raw', '--noheadings', '--output', 'SOFT']);
  await run('prlimit', [...pid, `--nofile=${most}:`]);
  return Number(stdout);
}

test('without descriptors nothing acknowledged is lost: each event is counted once when there are some again', async () => {
  const server = await startServer({ flags: FLAGS });
  const site = await addSite(server, SITE);
  const agents = Array.from({ length: SENDERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const open: string[] = [];
  let sending = true;
  let tries = 0;
  let acknowledged = 0;
  const senders = agents.map(async (agent) => {
    while (sending) {
      const batch = nextBatch();
      const status = await post(server, agent, batch);
      tries += 1;
      if (status === 200) acknowledged += EVENTS;
      else open.push(batch);
    }
  });
  await until('readers are answered', () => acknowledged > 0);
  // Whatever takes them, idle connections for example: none can be had.
  const usual = await limit(server, 3);
  try {
    const from = tries;
    await until('readers went on sending', () => tries - from >= TRIES);
  } finally {
    await limit(server, usual);
    sending = false;
    await Promise.all(senders);
  }

  // Whether those that were not answered are stored is unknown: they are sent again until they are.
  for (const batch of open) {
    await until('a batch that was refused is taken', async () => (await post(server, agents[0]!, batch)) === 200);
    acknowledged += EVENTS;
  }
  for (const agent of agents) agent.destroy();
  expect(await countViews(server, site)).toBe(acknowledged);
  const left = readdirSync(join(server.dataDir, 'ingest', 'spool'), { recursive: true }).map(String);
  expect(left.filter((name) => name.endsWith('.tsv'))).toEqual([]);
  await server.stop();
}, 600_000);
