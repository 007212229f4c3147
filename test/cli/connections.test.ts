// What one connection may do: stay, ask again, ask many things at once, and nothing beyond its bounds.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ flags: ['--trusted-proxies', '1'] });
  await addSite(server, 'connected.example');
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

interface Line {
  socket: Socket;
  said(): string;
  closed(): boolean;
}

function open(): Line {
  const { port, hostname } = new URL(server.url);
  let said = '';
  let closed = false;
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.on('data', (text: string) => {
    said += text;
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    closed = true;
  });
  return { socket, said: () => said, closed: () => closed };
}

const times = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const TOP = '/v2/top/posts?apikey=connected.example';

test('a connection is kept for the next question, and says how long', async () => {
  const { socket, said } = open();
  for (const turn of [1, 2, 3]) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('it is answered', () => times(said(), /\{"alive":true\}/g) === turn);
  }
  expect(said()).toMatch(/Keep-Alive: timeout=130/);
  socket.destroy();
});

test('three hundred questions in one breath are answered in order, each with its own answer', async () => {
  const { socket, said } = open();
  const paths = Array.from({ length: 300 }, (_, at) =>
    at % 3 === 0 ? '/healthz' : at % 3 === 1 ? TOP : `/v2/none${at}`,
  );
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  const body = /\{"alive":true\}|\{"data":\[\],.*?"success":true\}|\{"code":404[^}]*\}/g;
  await until('all are answered', () => times(said(), body) === 300);
  expect(times(said(), /HTTP\/1\.1 \d{3} /g)).toBe(300);
  const bodies = [...said().matchAll(body)].map(([text]) =>
    text.startsWith('{"alive"') ? 0 : text.startsWith('{"data"') ? 1 : 2,
  );
  expect(bodies).toEqual(paths.map((_, at) => at % 3));
  socket.destroy();
});

test('a body that contains a request is a body', async () => {
  const { socket, said } = open();
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(`POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`);
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the second is answered', () => said().includes('"ready":true'));
  expect(said()).not.toContain('"alive"');
  socket.destroy();
});

test.each([
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a length that is no number', 'Content-Length: 2x\r\n\r\n{}'],
  ['a header without a name', ': nothing\r\n\r\n'],
  ['a folded header', 'X-Long: a\r\n b\r\n\r\n'],
  ['two hosts', 'Host: y\r\nContent-Length: 2\r\n\r\n{}'],
  ['the same host twice', 'hOSt: x\r\nContent-Length: 2\r\n\r\n{}'],
])('%s: the connection is refused and closed', async (_, rest) => {
  const { socket, said, closed } = open();
  socket.write(`POST /events HTTP/1.1\r\nHost: x\r\n${rest}`);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('it is closed', closed);
  expect(said()).toMatch(/^HTTP\/1\.1 400 /);
  expect(said()).not.toContain('"alive"');
});

test('the address that a proxy adds last counts: headers beyond those that are read are refused', async () => {
  const askBehind = async (others: number): Promise<string> => {
    const { socket, said, closed } = open();
    const head = 'GET /v2/history?apikey=connected.example&uuid=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    socket.write(`${head}${'A:\r\n'.repeat(others)}X-Forwarded-For: 203.0.113.7\r\n\r\n`);
    await until('it is answered', closed);
    return said();
  };
  // Addresses of private networks, as that of the proxy, have no rate.
  expect(await askBehind(900)).toMatch(/^HTTP\/1\.1 200 .*\r\nratelimit: /is);
  expect(await askBehind(1_100)).toMatch(/^HTTP\/1\.1 431 /);
});

test('a host longer than any name of the DNS is refused', async () => {
  const { socket, said, closed } = open();
  socket.write(Buffer.from(`GET /v2/none HTTP/1.1\r\nHost: ${'é'.repeat(8000)}\r\n\r\n`, 'latin1'));
  await until('it is closed', closed);
  expect(said()).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['//x/events', 'events', 'ftp://x/events', 'http://', 'http://[/events', '*'])(
  'a target that is none of ours, %s, leads nowhere',
  async (target) => {
    const { socket, said } = open();
    socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
    await until('it is answered', () => said().includes('HTTP/1.1 4'));
    socket.destroy();
  },
);

/** As many as may be under way without saying how long they are: 64 MiB of half a megabyte each. */
const DOOR_IS_FULL = 128;

test.each(['/%65vents', '/x/../events', '/%2e/events', 'http://x/events', '/events/', '/events?x=/.'])(
  'the bound on senders under way holds however the address is spelled: %s',
  async (target) => {
    const crowd = Array.from({ length: DOOR_IS_FULL }, open);
    for (const { socket } of crowd) {
      socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
    }
    await until('the door is full', async () => {
      const answer = await fetch(`${server.url}/events`, { method: 'POST', body: '{"events":[]}' });
      await answer.arrayBuffer();
      return answer.status === 503;
    });
    for (const { socket } of crowd) socket.destroy();
    await until('there is room again', async () => {
      const answer = await fetch(`${server.url}/events`, { method: 'POST', body: '{"events":[]}' });
      await answer.arrayBuffer();
      return answer.status === 200;
    });
  },
);

test('large bodies under way are bounded together, without any secret', async () => {
  const path = '/v2/metadata/posts';
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8388608\r\n\r\n{`;
  const crowd = Array.from({ length: 100 }, open);
  for (const { socket } of crowd) socket.write(head);
  const refused = () => crowd.filter(({ said }) => said().startsWith('HTTP/1.1 503 '));
  await until('the others are refused', () => refused().length === 100 - 64);
  for (const { said } of refused()) expect(said()).toMatch(/retry-after: 1\r/i);
  for (const { socket } of crowd) socket.destroy();
  await until('there is room again', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return (await fetch(server.url + path, init)).status === 200;
  });
});

test('many small headers are too large together', async () => {
  const { socket, said, closed } = open();
  const headers = Array.from({ length: 3000 }, (_, at) => `X-${at}: 1\r\n`).join('');
  socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  await until('it is closed', closed);
  expect(said()).toMatch(/^HTTP\/1\.1 431 /);
});

test('a stranger who hangs up in the middle leaves nothing behind', async () => {
  for (let turn = 0; turn < 50; turn++) {
    const { socket } = open();
    socket.write(`POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(turn)}`);
    socket.end();
    socket.destroy();
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.log().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
});

describe.runIf(process.platform === 'linux')('where few files may be open', () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await startServer({ within: ['sh', '-c', 'ulimit -n 640 && exec "$@"', 'sh'] });
    await addSite(small, 'small.example');
  });
  afterAll(() => small.stop());

  test('connections that ask nothing never use up what the database and the log need', async () => {
    const { port, hostname } = new URL(small.url);
    let closed = 0;
    const crowd = Array.from({ length: 900 }, () => connect(Number(port), hostname));
    for (const socket of crowd) socket.on('error', () => undefined).on('close', () => closed++);
    await until('the oldest are closed', () => closed >= 900 - 320);
    const event = { idsite: 'small.example', action: 'pageview', url: 'https://small.example/' };
    const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events: [event] }) };
    expect((await fetch(`${small.url}/events`, init)).status).toBe(200);
    await allStored(small);
    const metrics = await (await fetch(`${small.url}/metrics`)).text();
    expect(metrics).toMatch(/^afterword_http_connections \d+$/m);
    expect(Number(/closed_total\{reason="idle"\} (\d+)/.exec(metrics)![1])).toBeGreaterThanOrEqual(900 - 320);
    for (const socket of crowd) socket.destroy();
    expect(small.log().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  });
});
