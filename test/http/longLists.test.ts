// The longest lists of a site of long, similar articles: none holds the event loop, and asking again gives the same.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOfPost, type CostSite, openCostSite } from '../../bench/support/costSite.ts';
import { MAX_RECORDS } from '../../server/contract/limits.ts';
import { mainThreadTime } from '../support/cpuTime.ts';
import { removeDataDirs } from '../support/dataDir.ts';

/** Milliseconds of the main thread's processor time that anybody's request may cost, and what a collection of garbage may add. */
const BOUND = 50;
const SLACK = 20;
/** The clock goes in steps of ten milliseconds. */
const IN_A_ROW = 10;
const TRIES = 4;

let opened: CostSite;
beforeAll(async () => {
  opened = await openCostSite(1);
}, 300_000);
afterAll(async () => {
  await opened?.server.stop();
  await removeDataDirs();
});

async function ask(path: string): Promise<string> {
  const { server, site } = opened;
  return (await fetch(`${server.url}${path}${path.includes('?') ? '&' : '?'}apikey=${site.apikey}`)).text();
}

describe.runIf(process.platform === 'linux')('a list of 2,000 posts holds the event loop only for a moment', () => {
  test.each([
    ['the most recent', () => '/v2/related?limit=2000', MAX_RECORDS],
    ['the most recent by the old name', () => '/v2/similar?limit=2000', MAX_RECORDS],
    ['those closest to a post', () => `/v2/related?limit=2000&url=${addressOfPost(opened.site, 3)}`, 10],
    ['found by a word', () => '/v2/search?limit=2000&q=government', 500],
  ])('%s', async (_, path, least) => {
    const first = await ask(path());
    expect((JSON.parse(first) as { data: unknown[] }).data.length).toBeGreaterThanOrEqual(least);
    const costs: number[] = [];
    while (costs.length < TRIES && !costs.some((cost) => cost <= BOUND)) {
      const before = mainThreadTime(opened.server.pid);
      for (let time = 0; time < IN_A_ROW; time++) expect(await ask(path())).toBe(first);
      costs.push((mainThreadTime(opened.server.pid) - before) / IN_A_ROW);
    }
    expect(Math.min(...costs)).toBeLessThanOrEqual(BOUND + SLACK);
  });
});

test('of four hundred lists of 2,000 posts asked for at once some are refused, and a short one overtakes the rest', async () => {
  const { server, site } = opened;
  const path = `/v2/related?apikey=${site.apikey}&limit=`;
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(Array.from({ length: 400 }, () => openSocket(Number(port), hostname)));
  const heads: string[] = [];
  const all = sockets.map(async (socket) => {
    socket.write(`GET ${path}${MAX_RECORDS} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    heads.push(head.toString('latin1', 0, 500));
    socket.destroy();
  });
  await Promise.race(all);
  const short = (await (await fetch(`${server.url}${path}10`)).json()) as { data: unknown[] };
  expect(short.data).toHaveLength(10);
  expect(heads.length).toBeLessThan(400);
  await Promise.all(all);
  const refused = heads.filter((head) => head.startsWith('HTTP/1.1 503 ') && /\r\nretry-after: 1\r\n/i.test(head));
  expect(refused.length).toBeGreaterThan(0);
  expect(heads.filter((head) => head.startsWith('HTTP/1.1 200 '))).toHaveLength(400 - refused.length);
}, 120_000);

async function openSocket(port: number, host: string): Promise<Socket> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  return socket;
}
