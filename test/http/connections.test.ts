// How many connections there may be, how many requests of one are under way, and what comes of answers that are not read.
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { boundConnections, type ConnectionLimits } from '../../server/http/connections.ts';
import { until } from '../support/until.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x');

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Line {
  socket: Socket;
  received(): number;
  closed(): boolean;
}

/** A server behind the bounds, and clients whose network the test names. */
async function serve(limits: Partial<ConnectionLimits>, listener: RequestListener) {
  let network: string | undefined;
  const server = createServer({ keepAliveTimeout: 130_000 });
  const connections = boundConnections(server, { total: 1000, networkOf: () => network, ...limits });
  server.on('request', connections.inTurn(listener)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closing.push(() => server.close().closeAllConnections());

  /** Resolves when the server has the connection, or has refused it. */
  async function open(from?: string): Promise<Line> {
    network = from;
    const before = settledConnections();
    const socket = connect(port, '127.0.0.1');
    closing.push(() => socket.destroy());
    let received = 0;
    let closed = false;
    socket.on('data', ({ length }) => {
      received += length;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
    });
    await until('the server has met it', () => settledConnections() > before);
    return { socket, received: () => received, closed: () => closed };
  }

  let met = 0;
  server.on('connection', () => {
    met++;
  });
  const settledConnections = () => met;
  return { open, counts: () => connections.counts() };
}

/** Keeps every request waiting. */
function waitingRoom() {
  const waiting: ServerResponse[] = [];
  const listener: RequestListener = (_, response) => void waiting.push(response);
  return { waiting, listener };
}

describe('of one network', () => {
  test('busy connections are bounded, those of others are not', async () => {
    const { waiting, listener } = waitingRoom();
    const { open, counts } = await serve({ perNetwork: 3 }, listener);
    const busy: Line[] = [];
    for (let count = 1; count <= 3; count++) {
      const line = await open('a');
      line.socket.write(GET);
      await until('it is under way', () => waiting.length === count);
      busy.push(line);
    }
    const refused = await open('a');
    await until('it is closed', refused.closed);
    const other = await open('b');
    const unbounded = await open(undefined);
    for (const { socket } of [other, unbounded]) socket.write(GET);
    await until('others are served', () => waiting.length === 5);
    expect(counts()).toMatchObject({ open: 5, refused: { network: 1, total: 0 }, displaced: 0 });
    waiting[0]!.end();
    await until('the first is answered', () => busy[0]!.received() > 0);
    const next = await open('a');
    expect(counts()).toMatchObject({ refused: { network: 1 }, displaced: 1 });
    await until('the idle one is closed', busy[0]!.closed);
    next.socket.write(GET);
    await until('it is under way', () => waiting.length === 6);
    expect(busy.map(({ closed }) => closed())).toEqual([true, false, false]);
  });

  test('connections that are gone leave their places', async () => {
    const { open, counts } = await serve({ perNetwork: 2 }, waitingRoom().listener);
    for (let turn = 0; turn < 20; turn++) {
      const { socket } = await open('a');
      socket.destroy();
      await until('it is gone', () => counts().open === 0);
    }
    expect(counts()).toMatchObject({ refused: { network: 0 }, displaced: 0 });
  });
});

test('of all, the one that is idle for longest gives way, and new ones are refused where none is idle', async () => {
  const { waiting, listener } = waitingRoom();
  const { open, counts } = await serve({ total: 3 }, listener);
  const [first, second, third] = [await open(), await open(), await open()];
  first.socket.write(GET);
  await until('the first is busy', () => waiting.length === 1);
  const fourth = await open();
  await until('the second is closed', second.closed);
  waiting[0]!.end('answered');
  await until('the first is idle', () => first.received() > 0);
  const fifth = await open();
  await until('the third is closed', third.closed);
  expect([first.closed(), fourth.closed(), fifth.closed()]).toEqual([false, false, false]);
  for (const { socket } of [first, fourth, fifth]) socket.write(GET);
  await until('all are busy', () => waiting.length === 4);
  const refused = await open();
  await until('it is refused', refused.closed);
  expect(counts()).toMatchObject({ open: 3, refused: { network: 0, total: 1 }, displaced: 2 });
});

test('requests of one connection are answered one after another, in their order', async () => {
  let underWay = 0;
  let most = 0;
  const asked: string[] = [];
  const { open } = await serve({}, (request, response) => {
    most = Math.max(most, ++underWay);
    asked.push(request.url!);
    setImmediate(() => {
      underWay--;
      response.end(`<${request.url}>`);
    });
  });
  const { socket } = await open();
  let said = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    said += text;
  });
  const paths = Array.from({ length: 2000 }, (_, at) => `/${at}`);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await until('the last is answered', () => said.includes('</1999>'));
  expect([most, asked, [...said.matchAll(/<(\/\d+)>/g)].map(([, path]) => path)]).toEqual([1, paths, paths]);
});

describe('an answer that is not read', () => {
  test('closes the connection, and those that wait behind it are not begun', async () => {
    let begun = 0;
    const { open, counts } = await serve({ stalledMs: 100 }, (_, response) => {
      begun++;
      response.end(LARGE);
    });
    const { socket } = await open();
    socket.pause();
    socket.write(GET.repeat(50));
    await until('it is closed', () => counts().open === 0);
    expect([begun, counts().unread]).toEqual([1, 1]);
  });

  test('closes it too where it continues too slowly', async () => {
    const { open, counts } = await serve({ answerMs: 2_000 }, (_, response) => response.end(LARGE));
    const { socket } = await open();
    socket.pause();
    socket.write(GET);
    const drip = setInterval(() => socket.read(1024), 20);
    closing.push(() => clearInterval(drip));
    await until('it is closed', () => counts().unread === 1);
  });

  test('gives way when too much waits to be read, the longest waiting first', async () => {
    const { open, counts } = await serve({ unsentBytes: 3 * LARGE.length, answerMs: 10_000 }, (_, response) =>
      response.end(LARGE),
    );
    for (let count = 0; count < 6; count++) {
      const { socket } = await open();
      socket.pause();
      socket.write(GET);
    }
    await until('some are closed', () => counts().unread >= 3);
    expect(counts().open).toBeGreaterThanOrEqual(2);
  });

  test('gives way within a second when many are made at once', async () => {
    const { open, counts } = await serve({ unsentBytes: LARGE.length }, (_, response) => response.end(LARGE));
    for (let count = 0; count < 6; count++) {
      const { socket } = await open();
      socket.pause();
      socket.write(GET);
    }
    await until('some are closed', () => counts().unread >= 4, 3_000);
  });

  test('is another thing than one that takes long to make, or is read slowly and steadily', async () => {
    const { waiting, listener } = waitingRoom();
    // More than a busy machine stands still: this process reads the answer, too.
    const { open, counts } = await serve({ stalledMs: 2_000 }, listener);
    const patient = await open();
    patient.socket.write(GET);
    await until('it is under way', () => waiting.length === 1);
    const idle = await open();
    await until('a connection that asks nothing is closed', idle.closed);
    waiting[0]!.end(LARGE);
    await until('all is read', () => patient.received() > LARGE.length);
    expect(counts().unread).toBe(0);
  });
});
