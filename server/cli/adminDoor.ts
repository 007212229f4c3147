// The admin application behind the local socket of a running server.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import { CommandError } from './commandError.ts';
import { askStatus, type ServerStatus } from './reach.ts';
import { findSocket, holdSocket, SocketTakenError } from './socket.ts';

export interface AdminDoor {
  /** From now on commands are answered; those that came before have waited. */
  open(admin: Hono): void;
  /**
   * The server stops, or could not start: refuses the commands that wait and those that come. Resolves when those under
   * way are done, or after 15 s.
   */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** How long commands under way may take once the server stops. */
const FINISH_MS = 15_000;

const STOPPING = 'The server is stopping. Run the command again when it has ended.';
const NOT_STARTED = 'The server could not start; what it printed says why.';

/**
 * Takes the socket of a data directory before anything in it is opened, so that a second server stops at once.
 * @throws {CommandError} when a server is running on it.
 */
export async function holdDoor(dataDir: string, parts: { status(): ServerStatus; log: Logger }): Promise<AdminDoor> {
  let open: (admin: Hono | undefined) => void = () => {};
  const opened = new Promise<Hono | undefined>((done) => {
    open = done;
  });
  const underWay = new Set<Promise<unknown>>();
  let drained: Promise<unknown> | undefined;

  async function run(request: Request, env: object): Promise<Response> {
    const admin = await opened;
    if (admin === undefined || drained) return refusal(admin === undefined ? NOT_STARTED : STOPPING);
    const answered = Promise.resolve(admin.fetch(request, env));
    const done = () => void underWay.delete(answered);
    underWay.add(answered);
    answered.then(done, done);
    return await answered;
  }

  const answer = async (request: Request, env: object): Promise<Response> =>
    new URL(request.url).pathname === '/status' ? Response.json(parts.status()) : await run(request, env);
  const failed = (err: unknown) => {
    parts.log.error({ err }, 'a command failed');
    return Response.json({ message: 'It failed; the server log says why.' }, { status: 500 });
  };
  const server = createServer(getRequestListener(answer, { errorHandler: failed }));
  const release = await holdSocket(dataDir, server).catch(async (error: unknown) => {
    if (!(error instanceof SocketTakenError)) throw error;
    throw new CommandError(await describeHolder(dataDir));
  });

  async function drain(): Promise<void> {
    open(undefined);
    drained ??= withDeadline(Promise.allSettled(underWay), FINISH_MS, () => undefined);
    await drained;
  }

  return {
    open,
    drain,
    async close() {
      await drain();
      await new Promise<void>((done) => {
        // The reader of an export may never take the rest of it.
        const late = setTimeout(() => server.closeAllConnections(), FINISH_MS);
        server.close(() => {
          clearTimeout(late);
          done();
        });
        server.closeIdleConnections();
      });
      await release();
    },
  };
}

const refusal = (message: string): Response => Response.json({ message }, { status: 422 });

async function describeHolder(dataDir: string): Promise<string> {
  const socket = await findSocket(dataDir);
  const status = socket === undefined ? undefined : await askStatus(socket);
  const who =
    status === undefined ? '' : ` (process ${status.pid}${status.url === undefined ? '' : `, ${status.url}`})`;
  return `A server is running on ${dataDir} already${who}. Stop it, or choose another folder with --data.`;
}
