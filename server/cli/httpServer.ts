// The public HTTP server: bounds that keep slow and hostile senders out, and a close that loses no answer.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundConnections, type ConnectionCounts, type ConnectionLimits } from '../http/connections.ts';
import { CommandError } from './commandError.ts';
import { roomForConnections } from './descriptors.ts';

/**
 * Longer than the proxies in front keep theirs (nginx 60 s, load balancers 60 s, Caddy 120 s), so that they close
 * first.
 */
const KEEP_ALIVE_MS = 130_000;
/** A whole request must arrive within this. */
const REQUEST_MS = 10_000;
/** How often requests that take too long are looked for. */
const CHECK_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Node leaves headers beyond this number out, and answers as if they had not been sent. A proxy may add its own last,
 * and a second `Host` may be among them: requests with as many are refused.
 */
const MAX_HEADERS = 1_000;
/** How long answers under way may take once the server stops. */
const FINISH_MS = 15_000;
const IDLE_CHECK_MS = 50;
/** Connections that wait to be taken: who finds no place tries again only after a second, and then after three. */
const BACKLOG = 4096;

export interface HttpServer {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
  /** Takes no more connections, lets requests under way finish, then closes what is still open. */
  close(): Promise<void>;
  connections(): ConnectionCounts;
}

export interface ListenOptions extends Partial<ConnectionLimits> {
  /** Called for each connection, before anything is read from it. */
  connected?: () => void;
}

/**
 * @param options Default: as many connections as the system's limit on file descriptors has room for.
 * @throws {CommandError} when it cannot listen there.
 */
export async function listen(
  listener: RequestListener,
  at: { host: string; port: number },
  { connected = () => {}, total = roomForConnections(), ...bounds }: ListenOptions = {},
): Promise<HttpServer> {
  const limits = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  let closing = false;
  const server = createServer(limits);
  server.maxHeadersCount = MAX_HEADERS;
  const connections = boundConnections(server, { total, ...bounds });
  const answer = connections.inTurn((request, response) => {
    if (request.rawHeaders.length >= 2 * MAX_HEADERS) return refuseHeaders(response);
    if (closing) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  server.on('request', answer);
  server.on('connection', connected);
  await listening(server, at);
  return {
    url: urlOf(server, at.host),
    close() {
      closing = true;
      return finish(server);
    },
    connections: () => connections.counts(),
  };
}

function refuseHeaders(response: ServerResponse): void {
  response.writeHead(431, { Connection: 'close', 'Content-Length': 0, 'Cache-Control': 'no-store' }).end();
}

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(
        new CommandError(
          REASONS[error.code ?? '']?.(host, port) ?? `Cannot listen on ${host}:${port}: ${error.message}.`,
        ),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, done);
  });
}

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is in use by another program. Choose another with --port.`,
  EACCES: (_, port) => `Port ${port} needs more rights than this user has. Choose one above 1023 with --port.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine. Choose another with --host.`,
  ENOTFOUND: (host) => `${host} is no known host name. Choose another with --host.`,
};

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function finish(server: Server): Promise<void> {
  return new Promise((done, fail) => {
    // A connection that is kept alive becomes idle only after its answer has gone.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const late = setTimeout(() => server.closeAllConnections(), FINISH_MS);
    server.close((error) => {
      clearInterval(idle);
      clearTimeout(late);
      if (error) fail(error);
      else done();
    });
  });
}
