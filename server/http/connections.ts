// Limits on connections: their number, per network and in total; one request at a time on each; and the answers that
// clients do not read.
//
//   const connections = boundConnections(server, { total: 10_000 });
//   server.on('request', connections.inTurn(listener));
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPlaces, type Place } from './places.ts';

export interface ConnectionLimits {
  /** Maximum number of connections of all networks. */
  total: number;
  /** Maximum number of connections of one network of addresses. Default: 256. */
  perNetwork?: number;
  /** The network of an address; undefined for an address without a limit. Default: no address has one. */
  networkOf?: (address: string) => string | undefined;
  /**
   * Milliseconds an answer may remain unread without progress; the effective timeout is up to twice as long. Default:
   * 15,000.
   */
  stalledMs?: number;
  /** Milliseconds an answer may take to be read, with progress. Default: 120,000. */
  answerMs?: number;
  /** Maximum of unread bytes of answers, of all connections. Default: 32 MiB. */
  unsentBytes?: number;
}

export interface ConnectionCounts {
  open: number;
  /** Totals since the start. */
  refused: { network: number; total: number };
  /** Idle connections closed in favour of new ones. */
  displaced: number;
  /** Connections closed because their answers were not read. */
  unread: number;
}

export interface Connections {
  /** Wraps a listener: pipelined requests of a connection run one after the other. */
  inTurn(listener: RequestListener): RequestListener;
  counts(): ConnectionCounts;
}

const PER_NETWORK = 256;
const STALLED_MS = 15_000;
const ANSWER_MS = 120_000;
/** The size of a hundred of the longest lists. */
const UNSENT_BYTES = 32 * 1024 * 1024;
/** Interval at which unread bytes are counted, in milliseconds: about a dozen long lists can be made in between. */
const BYTES_MS = 250;
/** Number of checks of an unread answer within its time limit. */
const LOOKS = 20;
/**
 * Maximum number of waiting requests of a connection before its socket is paused; a chunk already read may add more.
 */
const MAX_WAITING = 16;

interface Connection {
  socket: Socket;
  place: Place;
  /** A request is under way. */
  busy: boolean;
  waiting: (() => void)[];
  /** Number of consecutive checks at which its answer was not yet sent. */
  unsentLooks: number;
}

/** Limits the connections of a server. Call it before the server listens. */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  const { total, perNetwork = PER_NETWORK, networkOf = () => undefined } = limits;
  const { stalledMs = STALLED_MS, answerMs = ANSWER_MS, unsentBytes = UNSENT_BYTES } = limits;
  const connections = new Map<Socket, Connection>();
  const places = createPlaces({ total, perNetwork });
  let unread = 0;

  server.timeout = stalledMs;
  server.on('connection', (socket: Socket) => {
    const place = places.take(networkOf(socket.remoteAddress ?? ''), () => socket.destroy());
    // Resets the connection without an answer: there may be thousands of them.
    if (place === undefined) return socket.resetAndDestroy();
    connections.set(socket, { socket, place, busy: false, waiting: [], unsentLooks: 0 });
    socket.once('close', () => {
      connections.delete(socket);
      place.free();
    });
  });

  // Node checks writes in progress before it emits this event.
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection?.busy && socket.writableLength > 0) closeUnread(connection);
    // A request whose answer is not ready yet keeps its connection.
    else if (!connection?.busy) socket.destroy();
  });

  /** Resets the connection, which also discards the bytes in the system's send buffer. */
  function closeUnread({ socket }: Connection): void {
    unread++;
    socket.resetAndDestroy();
  }

  /** Counts the checks of unread answers, and closes those over the limit. */
  function look(): void {
    for (const connection of connections.values()) {
      connection.unsentLooks = connection.socket.writableLength > 0 ? connection.unsentLooks + 1 : 0;
    }
    closeExcess();
  }

  /** Closes answers over the time limit and, while too many bytes are unread, those unread for longest. */
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
