// Bounds on connections: how many there are, of one network and of all; one request of each at a time; and answers that are not read.
//
//   const connections = boundConnections(server, { total: 10_000 });
//   server.on('request', connections.inTurn(listener));
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPlaces, type Place } from './places.ts';

export interface ConnectionLimits {
  /** Connections of all networks together. */
  total: number;
  /** Connections of one network of addresses. Default: 256. */
  perNetwork?: number;
  /** The network of an address; undefined for one that is not bounded. Default: none is. */
  networkOf?: (address: string) => string | undefined;
  /** Milliseconds an answer may wait for its reader without progress; up to twice as long is waited. Default: 15,000. */
  stalledMs?: number;
  /** Milliseconds an answer may take to be read, with progress. Default: 120,000. */
  answerMs?: number;
  /** Bytes of answers that wait for their readers, of all connections together. Default: 32 MiB. */
  unsentBytes?: number;
}

export interface ConnectionCounts {
  open: number;
  /** Totals since the start. */
  refused: { network: number; total: number };
  /** Idle connections closed for new ones. */
  displaced: number;
  /** Connections closed because their answers were not read. */
  unread: number;
}

export interface Connections {
  /** The same listener; of several requests that come on one connection the next waits for the answer of the last. */
  inTurn(listener: RequestListener): RequestListener;
  counts(): ConnectionCounts;
}

const PER_NETWORK = 256;
const STALLED_MS = 15_000;
const ANSWER_MS = 120_000;
/** A hundred of the longest lists. */
const UNSENT_BYTES = 32 * 1024 * 1024;
/** How often the bytes are counted: a dozen long lists may be made between two looks. */
const BYTES_MS = 250;
/** How often answers that wait are looked at, in parts of the time they may take. */
const LOOKS = 20;
/** Requests that wait on one connection before no more of it is read; one chunk of it may bring more. */
const MAX_WAITING = 16;

interface Connection {
  socket: Socket;
  place: Place;
  /** A request is under way. */
  busy: boolean;
  waiting: (() => void)[];
  /** Looks in a row at which its answer was not yet sent. */
  unsentLooks: number;
}

/** Bounds the connections of a server; to be called before it listens. */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  const { total, perNetwork = PER_NETWORK, networkOf = () => undefined } = limits;
  const { stalledMs = STALLED_MS, answerMs = ANSWER_MS, unsentBytes = UNSENT_BYTES } = limits;
  const connections = new Map<Socket, Connection>();
  const places = createPlaces({ total, perNetwork });
  let unread = 0;

  server.timeout = stalledMs;
  server.on('connection', (socket: Socket) => {
    const place = places.take(networkOf(socket.remoteAddress ?? ''), () => socket.destroy());
    // At once, without a farewell: there may be thousands of them.
    if (place === undefined) return socket.resetAndDestroy();
    connections.set(socket, { socket, place, busy: false, waiting: [], unsentLooks: 0 });
    socket.once('close', () => {
      connections.delete(socket);
      place.free();
    });
  });

  // Node's own look at writes in progress comes before this event.
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection?.busy && socket.writableLength > 0) closeUnread(connection);
    // A request whose answer is not ready yet waits on.
    else if (!connection?.busy) socket.destroy();
  });

  /** What the system has taken of the answer is dropped, too. */
  function closeUnread({ socket }: Connection): void {
    unread++;
    socket.resetAndDestroy();
  }

  /** Notes which answers wait, and closes those that have waited for too long. */
  function look(): void {
    for (const connection of connections.values()) {
      connection.unsentLooks = connection.socket.writableLength > 0 ? connection.unsentLooks + 1 : 0;
    }
    closeExcess();
  }

  /** Closes answers that wait for too long, and while too many bytes wait those that wait for longest. */
  function closeExcess(): void {
    const unsent: Connection[] = [];
    let bytes = 0;
    for (const connection of connections.values()) {
      const { writableLength } = connection.socket;
      if (writableLength > 0) unsent.push(connection);
      bytes += writableLength;
    }
    for (const connection of unsent.sort((a, b) => b.unsentLooks - a.unsentLooks)) {
      if (bytes <= unsentBytes && connection.unsentLooks <= LOOKS) break;
      bytes -= connection.socket.writableLength;
      closeUnread(connection);
    }
  }
  const looking = [setInterval(look, answerMs / LOOKS), setInterval(closeExcess, BYTES_MS)];
  for (const timer of looking) timer.unref();
  server.once('close', () => looking.forEach(clearInterval));

  function begin(connection: Connection, response: ServerResponse, answer: () => void): void {
    connection.busy = true;
    connection.place.busy();
    response.once('close', () => next(connection));
    answer();
  }

  function next(connection: Connection): void {
    connection.busy = false;
    if (connection.socket.destroyed) return;
    const start = connection.waiting.shift();
    if (start === undefined) connection.place.idle();
    else start();
    if (connection.waiting.length === MAX_WAITING - 1) connection.socket.resume();
  }

  function inTurn(listener: RequestListener): RequestListener {
    return (request: IncomingMessage, response) => {
      const connection = connections.get(request.socket);
      const answer = () => listener(request, response);
      if (connection === undefined) return answer();
      if (!connection.busy) return begin(connection, response, answer);
      connection.waiting.push(() => begin(connection, response, answer));
      if (connection.waiting.length >= MAX_WAITING) connection.socket.pause();
    };
  }

  return {
    inTurn,
    counts: () => ({ open: connections.size, ...places.counts(), unread }),
  };
}
