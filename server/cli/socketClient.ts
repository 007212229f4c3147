// HTTP over the socket of a running server.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { messageOf } from '../errors.ts';
import { CommandError } from './commandError.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  status: number;
  body: AsyncIterable<Uint8Array>;
  /** Aborts what was not read. An unread body keeps the connection, and the server that waits for its end, open. */
  close(): void;
}

/** The server ended while it was asked: whether it has done what was asked is not known. */
export class ServerGoneError extends CommandError {}

/**
 * Sends one request.
 * @param options.body Sent as JSON.
 * @param options.signal Aborts the request. Default: it takes as long as the server takes.
 * @throws {CommandError} when the server goes away, also while the body is read: before its answer a ServerGoneError.
 */
export async function sendOverSocket(
  socketPath: string,
  method: Method,
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const headers = { 'Content-Type': 'application/json' };
    const request = httpRequest({ socketPath, method, path, headers, signal }, done);
    request.once('error', (error) => fail(gone(error)));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
  return { status: response.statusCode ?? 0, body: whole(response), close: () => void response.destroy() };
}

async function* whole(response: IncomingMessage): AsyncIterable<Uint8Array> {
  try {
    yield* response;
  } catch (error) {
    throw new CommandError(
      `The answer of the server broke off (${messageOf(error)}). Where it still runs, its log says why.`,
    );
  }
}

const gone = (error: unknown) =>
  new ServerGoneError(
    `The server went away before it answered (${messageOf(error)}): once it runs again, run the command again.`,
  );

export async function collect(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
