// The admin application behind the local socket of a running server.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { CommandError } from './commandError.ts';
import { askStatus, type ServerStatus } from './reach.ts';
import { findSocket, holdSocket, SocketTakenError } from './socket.ts';

export interface AdminDoor {
  /** From now on commands are answered; those that came before have waited. */
  open(admin: Hono): void;
  close(): Promise<void>;
}

/**
 * Takes the socket of a data directory before anything in it is opened, so that a second server stops at once.
 * @throws {CommandError} when a server is running on it.
 */
export async function holdDoor(dataDir: string, of: { status(): ServerStatus; log: Logger }): Promise<AdminDoor> {
  let open: (admin: Hono) => void = () => {};
  const opened = new Promise<Hono>((done) => {
    open = done;
  });
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname === '/status') return Response.json(of.status());
    return (await opened).fetch(request);
  };
  const failed = (err: unknown) => {
    of.log.error({ err }, 'a command failed');
    return Response.json({ message: 'It failed; the server log says why.' }, { status: 500 });
  };
  const server = createServer(getRequestListener(answer, { errorHandler: failed }));
  const release = await holdSocket(dataDir, server).catch(async (error: unknown) => {
    if (!(error instanceof SocketTakenError)) throw error;
    throw new CommandError(await describeHolder(dataDir));
  });
  return {
    open,
    async close() {
      await new Promise<void>((done) => {
        server.close(() => done());
        server.closeIdleConnections();
      });
      await release();
    },
  };
}

async function describeHolder(dataDir: string): Promise<string> {
  const socket = await findSocket(dataDir);
  const status = socket === undefined ? undefined : await askStatus(socket);
  const who =
    status === undefined ? '' : ` (process ${status.pid}${status.url === undefined ? '' : `, ${status.url}`})`;
  return `A server is running on ${dataDir} already${who}. Stop it, or choose another folder with --data.`;
}
