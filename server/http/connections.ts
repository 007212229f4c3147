// Limits on connections: their number, per network and in total; one request at a time on each; and the answers that
// clients do not read.
//
//   const connections = boundConnections(server, { total: 10_000 });
//   server.on('request', connections.inTurn(listener));
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPlaces, type Place, type Places } from './places.ts';

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
  const { stalledMs = STALLED_MS, answerMs = ANSWER_MS, networkOf = () => undefined } = limits;
  const connections = new Connections(limits);
  server.timeout = stalledMs;
  server.on('connection', (socket) => connections.accept(socket, networkOf(socket.remoteAddress ?? '')));
  // Node checks writes in progress before it emits this event.
  server.on('timeout', (socket) => connections.stalled(socket));
  const looking = [
    setInterval(() => connections.look(), answerMs / LOOKS),
    setInterval(() => connections.closeExcess(), BYTES_MS),
  ];
  for (const timer of looking) timer.unref();
  server.once('close', () => looking.forEach(clearInterval));
  return connections;
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #places: Places;
  readonly #unsentBytes: number;
  #unread = 0;

  constructor({ total, perNetwork = PER_NETWORK, unsentBytes = UNSENT_BYTES }: ConnectionLimits) {
    this.#places = createPlaces({ total, perNetwork });
    this.#unsentBytes = unsentBytes;
  }

  /** Wraps a listener: pipelined requests of a connection run one after the other. */
  inTurn(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#open.get(request.socket);
      const answer = () => listener(request, response);
      if (connection === undefined) return answer();
      if (!connection.busy) return this.#begin(connection, response, answer);
      connection.waiting.push(() => this.#begin(connection, response, answer));
      if (connection.waiting.length >= MAX_WAITING) connection.socket.pause();
    };
  }

  counts(): ConnectionCounts {
    return { open: this.#open.size, ...this.#places.counts(), unread: this.#unread };
  }

  /** @param network Of its address; undefined: it has no limit. */
  accept(socket: Socket, network: string | undefined): void {
    const place = this.#places.take(network, () => socket.destroy());
    // Resets the connection without an answer: there may be thousands of them.
    if (place === undefined) return void socket.resetAndDestroy();
    this.#open.set(socket, { socket, place, busy: false, waiting: [], unsentLooks: 0 });
    socket.once('close', () => {
      this.#open.delete(socket);
      place.free();
    });
  }

  /** Closes a connection without progress. A request whose answer is not ready yet keeps its connection. */
  stalled(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection?.busy) socket.destroy();
    else if (socket.writableLength > 0) this.#closeUnread(connection);
  }

  /** Counts the checks of unread answers, and closes those over the limit. */
  look(): void {
    for (const connection of this.#open.values()) {
      connection.unsentLooks = connection.socket.writableLength > 0 ? connection.unsentLooks + 1 : 0;
    }
    this.closeExcess();
  }

  /** Closes answers over the time limit and, while too many bytes are unread, those unread for longest. */
  closeExcess(): void {
    const unsent: Connection[] = [];
    let bytes = 0;
    for (const connection of this.#open.values()) {
      const { writableLength } = connection.socket;
      if (writableLength > 0) unsent.push(connection);
      bytes += writableLength;
    }
    for (const connection of unsent.sort((a, b) => b.unsentLooks - a.unsentLooks)) {
      if (bytes <= this.#unsentBytes && connection.unsentLooks <= LOOKS) break;
      bytes -= connection.socket.writableLength;
      this.#closeUnread(connection);
    }
  }

  /** Resets the connection, which also discards the bytes in the system's send buffer. */
  #closeUnread({ socket }: Connection): void {
    this.#unread++;
    socket.resetAndDestroy();
  }

  #begin(connection: Connection, response: ServerResponse, answer: () => void): void {
    connection.busy = true;
    connection.place.busy();
    response.once('close', () => this.#next(connection));
    answer();
  }

  #next(connection: Connection): void {
    connection.busy = false;
    if (connection.socket.destroyed) return;
    const start = connection.waiting.shift();
    if (start === undefined) connection.place.idle();
    else start();
    if (connection.waiting.length === MAX_WAITING - 1) connection.socket.resume();
  }
}
