// Connections made to fill a server's memory, from many networks of the loopback interface; one that is closed is opened again.
import { connect, type Socket } from 'node:net';
import type { CostSite } from './costSite.ts';

/** What is done with a connection; `site` is a Site ID. */
type Behaviour = (socket: Socket, site: string) => void;

/** /24 networks of 127.0.0.0/8 that connections come from in turn. */
const NETWORKS = 50;
const REOPEN_MS = 1_000;
/** A slow sender's pace. */
const TRICKLE_MS = 1_000;
const KIB = 1024;
const FILLER = Buffer.alloc(64 * KIB, 'x');
const PIPELINED = 12;

export const KINDS = {
  'bodies of events that come slowly': (socket, site) => {
    const start = `{"events":[{"idsite":"${site}","action":"pageview","x":"`;
    socket.write(`${post('/events', 512 * KIB)}${start}`);
    for (let part = 0; part < 7; part++) socket.write(FILLER);
    trickle(socket, 'x');
  },
  'bodies of 8 MiB without a secret': (socket, site) => {
    socket.write(`${post('/v2/metadata/posts', 8192 * KIB)}{"apikey":"${site}","metadata":{"title":"`);
    pour(socket, 8000 * KIB);
  },
  'chunked bodies without an end': (socket) => {
    socket.write('POST /v2/metadata/videos HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n800000\r\n{"a":"');
    pour(socket, 8000 * KIB);
  },
  'answers that are not read': (socket, site) => {
    socket.pause();
    socket.write(`GET /v2/related?apikey=${site}&limit=2000 HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED));
  },
  'heads without an end': (socket) => {
    socket.write(`GET /v2/top/posts HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15 * KIB)}`);
    trickle(socket, 'x');
  },
} as const satisfies Record<string, Behaviour>;

export type Kind = keyof typeof KINDS;

export interface Attack {
  /** Connections that are open now. */
  held(): number;
  /** Resolves when all are closed. */
  stop(): Promise<void>;
}

/** Keeps so many connections open, kinds by turns. */
export function attack({ server, site }: CostSite, kinds: readonly Kind[], count: number): Attack {
  const port = Number(new URL(server.url).port);
  const open = new Set<Socket>();
  let stopped = false;
  function begin(number: number): void {
    if (stopped) return;
    const localAddress = `127.0.${1 + (number % NETWORKS)}.1`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.add(socket);
    // Whatever the server refuses it with, the next one tries again.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(begin, REOPEN_MS, number);
    });
    socket.resume();
    socket.once('connect', () => KINDS[kinds[number % kinds.length]!](socket, site.apikey));
  }
  for (let number = 0; number < count; number++) begin(number);
  return {
    held: () => open.size,
    async stop() {
      stopped = true;
      const closed = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of open) socket.destroy();
      await Promise.all(closed);
    },
  };
}

const post = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), TRICKLE_MS);
  socket.once('close', () => clearInterval(timer));
}

/** As much as the server takes, up to so many bytes; then slowly. */
function pour(socket: Socket, bytes: number): void {
  let left = bytes;
  function more(): void {
    while (left > 0) {
      left -= FILLER.length;
      if (!socket.write(FILLER)) return;
    }
    socket.off('drain', more);
    trickle(socket, 'x');
  }
  socket.on('drain', more);
  more();
}
