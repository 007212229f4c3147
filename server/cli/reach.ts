// How a command reaches the data: through the running server's socket, or by opening the data itself when none runs.
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { Hono } from 'hono';
import { CommandError } from './commandError.ts';
import type { AdminSettings } from './openAdmin.ts';
import { findSocket } from './socket.ts';
import { type Answer, collect, type Method, sendOverSocket } from './socketClient.ts';

export interface Reach {
  /**
   * Asks the admin application; the answer's body as JSON.
   * @throws {CommandError} with the words of the refusal.
   */
  ask<T>(method: Method, path: string, body?: unknown): Promise<T>;
  /**
   * Asks for an answer that may be larger than memory. What the work leaves unread is aborted.
   * @throws {CommandError} with the words of the refusal, or when it breaks off.
   */
  read<T>(path: string, work: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  /** What the running server reports about itself now; undefined when none runs. */
  status(): Promise<ServerStatus | undefined>;
}

/** What a running server reports about itself. */
export interface ServerStatus {
  pid: number;
  version: string;
  /** Where readers reach it, else where it listens. Undefined while it starts. */
  url?: string;
  /** Where it listens. Undefined before it does. */
  address?: string | undefined;
  /** `url` is the one that `--public-url` says. */
  isPublic?: boolean;
}

/** Does a piece of work with the data in reach, and lets go of it whatever happens. */
export async function withReach<T>(settings: AdminSettings, work: (reach: Reach) => Promise<T>): Promise<T> {
  const socket = await findSocket(settings.data);
  if (socket !== undefined)
    return work(
      createReach(
        (method, path, body) => sendOverSocket(socket, method, path, { body }),
        () => askStatus(socket),
      ),
    );
  // Loaded only here: beside a running server a command needs no database of its own.
  const { openAdmin } = await import('./openAdmin.ts');
  const opened = await openAdmin(settings).catch(async (error: unknown) => {
    // A server that was starting at the same moment has the data, and answers for it by now.
    if (await findSocket(settings.data)) return undefined;
    throw error;
  });
  if (opened === undefined) return withReach(settings, work);
  const { admin, close } = opened;
  try {
    return await work(
      createReach(
        (method, path, body) => sendInProcess(admin, method, path, body),
        async () => undefined,
      ),
    );
  } finally {
    await close();
  }
}

/** @param signal Aborts the request. Default: it takes as long as the server takes. */
export async function askStatus(socket: string, signal?: AbortSignal): Promise<ServerStatus> {
  return readJson(await sendOverSocket(socket, 'GET', '/status', { signal }));
}

type Send = (method: Method, path: string, body?: unknown) => Promise<Answer>;

function createReach(send: Send, status: Reach['status']): Reach {
  return {
    ask: async (method, path, body) => readJson(await send(method, path, body)),
    async read(path, work) {
      const answer = await send('GET', path);
      try {
        return answer.status === 200 ? await work(answer.body) : await readJson(answer);
      } finally {
        answer.close();
      }
    },
    status,
  };
}

async function sendInProcess(admin: Hono, method: Method, path: string, body?: unknown): Promise<Answer> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await admin.fetch(new Request(`http://afterword${path}`, init));
  const answer = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as WebStream);
  return { status: response.status, body: answer, close: () => void answer.destroy() };
}

async function readJson<T>({ status, body }: Answer): Promise<T> {
  const text = await collect(body);
  if (status === 200) return JSON.parse(text);
  if (status === 422) {
    const { message, exitCode } = JSON.parse(text);
    throw new CommandError(message, exitCode === 2 ? 2 : 1);
  }
  if (status === 404)
    throw new CommandError(
      'The server that runs does not know this command: it is of another version. Start it again.',
    );
  throw new CommandError(`The server could not do it (status ${status}). Its log says why.`);
}
