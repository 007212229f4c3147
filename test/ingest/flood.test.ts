// Many senders at once, and slow ones, over real connections: what is taken is stored, what is refused is said to be, and the
// server serves on.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';

const SITE = 'flood.example';
const SENDERS = 200;
const EVENTS = 50;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ flags: ['--site-rate', '100'] });
  await addSite(server, SITE);
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

let tries = 0;
/** A name that no try of a test has used before. */
const unused = (name: string) => `${name}-${++tries}`;

const batch = (name: string) =>
  JSON.stringify({
    events: Array.from({ length: EVENTS }, (_, n) => ({
      idsite: SITE,
      action: 'pageview',
      url: `https://${SITE}/${name}`,
      eid: `${name}-${n}`,
    })),
  });

async function send(name: string): Promise<number> {
  const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: batch(name) };
  const answer = await fetch(`${server.url}/events`, init);
  await answer.arrayBuffer();
  return answer.status;
}

/** Events by the last part of their page's address. */
async function stored(): Promise<Map<string, number>> {
  await allStored(server);
  const { stdout } = await runInProcess(['export', 'views', SITE, '--data', server.dataDir]);
  const counts = new Map<string, number>();
  for (const line of stdout.split('\n')) {
    const name = line === '' ? '' : new URL(JSON.parse(line).url).pathname.slice(1);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test('of a flood over its rate, a site’s batches are stored whole or refused whole', async () => {
  const names = Array.from({ length: SENDERS }, () => unused('sender'));
  const answers = await Promise.all(names.map(send));
  expect(new Set(answers)).toEqual(new Set([200, 429]));
  const there = await stored();
  for (const [n, name] of names.entries()) {
    expect([name, there.get(name) ?? 0]).toEqual([name, answers[n] === 200 ? EVENTS : 0]);
  }
});

test('a hundred senders who never finish block no other sender, and leave nothing', async () => {
  const { hostname, port } = new URL(server.url);
  const slow: Socket[] = [];
  const ends: Promise<unknown>[] = [];
  for (let n = 0; n < 100; n++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const length = n % 2 === 0 ? 'Content-Length: 100000' : 'Transfer-Encoding: chunked';
    socket.write(`POST /events HTTP/1.1\r\nHost: x\r\nUser-Agent: ${BROWSER}\r\n${length}\r\n\r\n`);
    socket.write(n % 2 === 0 ? '{"events":[' : 'b\r\n{"events":[\r\n');
    slow.push(socket);
    ends.push(once(socket, 'close'));
  }
  const quick = unused('quick');
  const image = await fetch(`${server.url}/plogger/?idsite=${SITE}&action=pageview&url=https://${SITE}/${quick}`, {
    headers: { 'User-Agent': BROWSER },
  });
  expect(image.status).toBe(200);
  for (const socket of slow) socket.resume();
  await Promise.all(ends);
  expect((await stored()).get(quick)).toBe(1);
});

test('ten megabytes are refused before they are read, in chunks after half a megabyte', async () => {
  const large = new Blob(Array.from({ length: 10 }, () => 'x'.repeat(1024 * 1024)));
  const post = async (body: Blob | ReadableStream) => {
    const init = { method: 'POST', body, duplex: 'half', headers: { 'User-Agent': BROWSER } } as const;
    return (await fetch(`${server.url}/events`, init)).status;
  };
  expect(await post(large)).toBe(413);
  expect(await post(large.stream())).toBe(413);
  expect(await send('after')).toBe(200);
});
