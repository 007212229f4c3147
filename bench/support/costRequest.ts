// A request of the cost bench: sent as it stands, however odd, and measured by what it costs the server's main thread.
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { TestServer } from '../../test/support/server.ts';
import { threadTime } from '../../test/support/threadTime.ts';

export interface CostRequest {
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** In a request: another number each time it is sent, so that no answer is ready in memory. */
export const SERIAL = '{serial}';
/** In a request: the number of a post, another one each time. */
export const PAGE = '{page}';

const TIMEOUT_MS = 30_000;
/** What two requests that cost nothing may cost: beyond it the server is still at work on the one before. */
const QUIET_MS = 6;
const LOOKS = 40;

/** A copy with its numbers filled in. */
export function numbered({ method, target, headers, body }: CostRequest, serial: number, posts: number): CostRequest {
  const fill = (text: string) => text.replaceAll(SERIAL, `${serial}`).replaceAll(PAGE, `${serial % posts}`);
  return { method, target: fill(target), headers, body: typeof body === 'string' ? fill(body) : body };
}

/**
 * @returns Milliseconds of the main thread's processor time, with what continues after the answer; whatever the answer
 * is.
 */
export async function measure(server: TestServer, asked: CostRequest): Promise<number> {
  const before = threadTime(server.pid);
  await send(server.url, asked);
  for (let look = 0; look < LOOKS; look++) {
    const spent = threadTime(server.pid);
    for (let time = 0; time < 2; time++) await send(server.url, HEALTH);
    if (threadTime(server.pid) - spent < QUIET_MS) return spent - before;
    await setTimeout(5);
  }
  return threadTime(server.pid) - before;
}

const HEALTH: CostRequest = { method: 'GET', target: '/healthz', headers: {}, body: undefined };

/** Resolves when the server has answered or closed the connection, which is the request's own. @throws when it does neither. */
function send(url: string, { method, target, headers, body }: CostRequest): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: target, headers, agent: false, timeout: TIMEOUT_MS },
      (response) => {
        response.on('error', () => resolve());
        response.on('end', () => resolve());
        response.resume();
      },
    );
    sent.on('timeout', () => {
      reject(new Error(`${method} ${target.slice(0, 200)} was not answered.`));
      sent.destroy();
    });
    // Refused by closing, as a body that is too long, is a cheap answer.
    sent.on('error', () => resolve());
    // It outlives the request where the answer comes before the body was sent.
    sent.on('socket', (socket) => socket.on('error', () => undefined));
    sent.end(body);
  });
}
