// Hands messages of the Model Context Protocol on: from standard input to a server, its answers to standard output.
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SITE_HEADER } from '../contract/headers.ts';
import { MINUTE } from '../durations.ts';
import { messageOf } from '../errors.ts';
import { parseJson } from '../posts/parseJson.ts';
import { CommandError } from './commandError.ts';
import { fetchFailure } from './fetchFailure.ts';
import { sitePath } from './sitePath.ts';
import { findSocket } from './socket.ts';
import { collect, sendOverSocket } from './socketClient.ts';

/**
 * Sends one message to a server.
 * @returns Its answer; undefined for a message that has none.
 * @throws {CommandError} with the words of the refusal.
 */
export type Send = (message: JSONRPCMessage) => Promise<JSONRPCMessage | undefined>;

interface Streams {
  stdin: Readable;
  stdout: Writable;
}

/** Longer than a server takes for any answer. */
const PATIENCE_MS = MINUTE;
/** Code of an error of the server's own: JSON-RPC 2.0, section 5.1. */
const SERVER_ERROR = -32_000;

/** Ends when standard input does, and all answers are written. */
export async function relay(send: Send, { stdin, stdout }: Streams): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout);
  const underWay = new Set<Promise<void>>();
  transport.onmessage = (message) => {
    const answered = answerOne(send, message).then(async (answer) => answer && (await transport.send(answer)));
    const done = answered.then(() => void underWay.delete(done));
    underWay.add(done);
  };
  transport.onerror = (error) => {
    // The words of the schema are a list of the fields of all kinds of messages.
    const why = 'issues' in error ? 'it is no message of JSON-RPC.' : error.message;
    process.stderr.write(`warning: a message is left out: ${why}\n`);
  };
  const ended = new Promise<void>((end) => {
    stdin.once('end', end);
    stdin.once('close', end);
  });
  await transport.start();
  await ended;
  await Promise.all(underWay);
  await transport.close();
}

/** A failure is the answer of the message that it met: the next one may succeed. */
async function answerOne(send: Send, message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
  try {
    return await send(message);
  } catch (error) {
    const text = messageOf(error);
    process.stderr.write(`error: ${text}\n`);
    if (!('id' in message) || !('method' in message)) return undefined;
    return { jsonrpc: '2.0', id: message.id, error: { code: SERVER_ERROR, message: text } };
  }
}

/** To a server by its address. */
export function overHttp({ server, site, secret }: { server: string; site: string; secret: string }): Send {
  return async (message) => {
    const asked = fetch(`${server}/mcp`, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${secret}`,
        [SITE_HEADER]: site,
      },
      body: JSON.stringify(message),
      // A secret is for the server that was named, and for no other.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // An answer may break off, too.
    const { text, status } = await asked
      .then(async (response) => ({ text: await response.text(), status: response.status }))
      .catch((error: unknown) => {
        throw new CommandError(`${server} does not answer: ${fetchFailure(error)}.`);
      });
    return readAnswer(text, status, server);
  };
}

/**
 * To the server that runs on a data folder, as its owner.
 * @throws {CommandError} when none runs: an assistant would keep the database from it for hours.
 */
export async function overSocket(data: string, { site, act }: { site: string; act: boolean }): Promise<Send> {
  if ((await findSocket(data)) === undefined)
    throw new CommandError(
      `No server runs on ${data}. Start one (afterword serve), name its folder with --data, or its address with --server.`,
    );
  const path = sitePath(site, `/assistant${act ? '?act=1' : ''}`);
  return async (message) => {
    // Found anew: the server may have been started again.
    const socket = await findSocket(data);
    if (socket === undefined) throw new CommandError(`No server runs on ${data} now. Start it: afterword serve.`);
    const { status, body } = await sendOverSocket(socket, 'POST', path, { body: message });
    return readAnswer(await collect(body), status, data);
  };
}

/** @param from The server, for an error that has no words of its own. */
function readAnswer(text: string, status: number, from: string): JSONRPCMessage | undefined {
  if (status === 202) return undefined;
  const answer = parseJson(text);
  if (status === 200 && answer !== undefined) return answer as JSONRPCMessage;
  const { error, message = error?.message } = (answer ?? {}) as { message?: string; error?: { message?: string } };
  throw new CommandError(message ?? `${from} answers with status ${status}: is it a server of Afterword with /mcp?`);
}
