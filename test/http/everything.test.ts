// The whole server as it is shipped against random requests to every route and door, four at a time: never a fault, never a
// line of error in its log, and no more memory at the end than when it was warm. AFTERWORD_TEST_RUNS=100000 sends that many.
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { root } from '../support/build.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { type RandomRequest, randomRequest } from '../support/fuzz/requests.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { isCode } from '../support/until.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 2000);
const AT_ONCE = 4;
const MB = 1024 * 1024;
/** What the whole server may take. */
const MOST_RESIDENT = 1536 * MB;

let server: TestServer;
let site: TestSite;
let partnerSecret: string;
let document: OpenApi;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
  const made = await runInProcess(['partner', 'add', 'agency', '--json', '--data', server.dataDir]);
  partnerSecret = (JSON.parse(made.stdout) as { secret: string }).secret;
  document = await getJson<OpenApi>(server, '/openapi.json');
});

afterAll(async () => {
  agent.destroy();
  await server?.stop();
  await removeDataDirs();
});

interface Answered {
  status: number;
  type: string;
  body: string;
}

/** One answer; undefined where the server hung up on a body it does not want to read. */
async function send(asked: RandomRequest): Promise<Answered | undefined> {
  try {
    return await sendOnce(asked, agent);
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].some((code) => isCode(error, code))) throw error;
    // A kept connection may just have been closed: on one of its own, only a long body is cut off.
    return await sendOnce(asked, false).catch((again: unknown) => {
      if ((asked.body?.length ?? 0) > 60_000) return undefined;
      throw again;
    });
  }
}

function sendOnce({ method, target, headers, body }: RandomRequest, agent: Agent | false): Promise<Answered> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: target, headers, agent, timeout: 60_000 }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type'] ?? '',
          body: decoded(Buffer.concat(parts), response.headers['content-encoding']),
        }),
      );
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error('No answer within a minute.')));
    sent.end(body);
  });
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (body.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return (coding === 'gzip' ? gunzipSync(body) : body).toString();
}

async function resident(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1]);
}

test(
  'random requests to everything',
  async () => {
    const files = readdirSync(join(root, 'dist/widget'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(?:js|json|html|css)$/.test(path),
    );
    const ground = {
      document,
      paths: ['/healthz', '/readyz', '/metrics', '/openapi.json', '/favicon.ico', ...files.map((path) => `/${path}`)],
      site: site.apikey,
      secrets: [site.secret, site.write_secret, partnerSecret],
    };
    const warm = Math.floor(RUNS / AT_ONCE / 3);
    const seen = { requests: 0, statuses: new Map<number, number>() };
    let warmBytes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomRequest(ground), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (requests) => {
          for (const [at, answered] of (await Promise.all(requests.map(send))).entries()) {
            if (answered === undefined) continue;
            const { status, type, body } = answered;
            seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
            expect([requests[at], status]).toEqual([requests[at], expect.any(Number)]);
            expect(status, JSON.stringify({ asked: requests[at], body })).toBeLessThan(500);
            if (type.startsWith('application/json') && body !== '') expect(() => JSON.parse(body)).not.toThrow();
          }
          seen.requests += requests.length;
          if (seen.requests === warm * AT_ONCE) warmBytes = await resident();
        },
      ),
      { numRuns: Math.ceil(RUNS / AT_ONCE) },
    );

    expect(await getJson(server, '/v2/validate/secret', { apikey: site.apikey, secret: site.secret })).toEqual({
      success: true,
    });
    expect(server.log().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    // What was asked got somewhere: not all of it was refused at the door.
    expect(seen.statuses.get(200)).toBeGreaterThan(seen.requests / 2);
    const bytes = await resident();
    console.log(
      `${seen.requests} requests, ${[...seen.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}; ` +
        `${Math.round(warmBytes / MB)} MB when warm, ${Math.round(bytes / MB)} MB at the end`,
    );
    expect(bytes).toBeLessThan(MOST_RESIDENT);
    expect(bytes - warmBytes).toBeLessThan(300 * MB);
  },
  12 * 60 * 60_000,
);
