// How a command reaches the data: through the running server's socket, or by opening the data itself when none runs.
import { request as httpRequest } from 'node:http';
import type { StorageSettings } from '../config.ts';
import { CommandError } from './commandError.ts';
import { findSocket } from './socket.ts';

export interface Reach {
  /**
   * Asks the admin application; the answer's body as JSON.
   * @throws {CommandError} with the words of the refusal.
   */
  ask<T>(method: Method, path: string, body?: unknown): Promise<T>;
  /** Where the running server is reached; undefined when none runs. */
  serverUrl: string | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a running server tells about itself. */
export interface ServerStatus {
  pid: number;
  version: string;
  /** Where readers reach it. Undefined while it starts. */
  url?: string;
}

/** Does a piece of work with the data in reach, and lets go of it whatever happens. */
export async function withReach<T>(settings: StorageSettings, work: (reach: Reach) => Promise<T>): Promise<T> {
  const socket = await findSocket(settings.data);
  if (socket !== undefined) {
    const { url } = await askSocket<ServerStatus>(socket, 'GET', '/status');
    return work({ ask: (...what) => askSocket(socket, ...what), serverUrl: url });
  }
  // Loaded only here: beside a running server a command needs no database of its own.
  const { openAdmin } = await import('./openAdmin.ts');
  const { admin, close } = await openAdmin(settings);
  try {
    return await work({
      ask: async (method, path, body) => {
        const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
        const response = await admin.fetch(new Request(`http://afterword${path}`, init));
        return readAnswer(response.status, await response.text());
      },
      serverUrl: undefined,
    });
  } finally {
    await close();
  }
}

/** Asks a server through its socket. */
export function askSocket<T>(socketPath: string, method: Method, path: string, body?: unknown): Promise<T> {
  return new Promise((done, fail) => {
    const request = httpRequest({ socketPath, method, path, headers: { 'Content-Type': 'application/json' } });
    request.once('error', (error) =>
      fail(new CommandError(`The server went away before it answered (${error.message}).`)),
    );
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', fail);
      response.once('end', () => {
        try {
          done(readAnswer(response.statusCode ?? 0, Buffer.concat(parts).toString('utf8')));
        } catch (error) {
          fail(error);
        }
      });
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function readAnswer<T>(status: number, text: string): T {
  if (status === 200) return JSON.parse(text);
  if (status === 422) throw new CommandError(JSON.parse(text).message);
  throw new CommandError(`The server could not do it (status ${status}). Its log says why.`);
}
