// A batch of an import that is stored and was not noted, because its command was killed: it is sent again when the
// database has long forgotten it.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { findSocket } from '../../server/cli/socket.ts';
import { sendOverSocket } from '../../server/cli/socketClient.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

afterAll(removeDataDirs);

/** What an import sends. */
async function send({ dataDir }: TestServer, token: string, lines: readonly object[]): Promise<unknown> {
  const socket = await findSocket(dataDir);
  const { status, body } = await sendOverSocket(socket!, 'POST', '/sites/again.example/views', {
    body: { lines, token },
  });
  expect(status).toBe(200);
  return JSON.parse(await text(Readable.from(body)));
}

/** As after 10,000 further inserts. */
function forgetTokens(dataDir: string): void {
  const engine = join(dataDir, 'engine');
  const logs = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^store.*deduplication_log_\d+\.txt$/.test(name),
  );
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) rmSync(join(engine, log));
}

test('its lines count once, and the answer is what it was', async () => {
  let server = await startServer();
  const { apikey, secret, write_secret } = await addSite(server, 'again.example');
  for (const path of ['a', 'b', 'c']) {
    const metadata = { canonical_url: `https://again.example/${path}`, title: path };
    await postJson(server, '/v2/metadata/posts', { apikey, secret: write_secret, metadata });
  }
  const date = new Date(Date.now() - 86_400_000).toISOString();
  const view = (path: string) => ({ url: `https://again.example/${path}`, date });
  const batch = [view('a'), view('b'), { url: 'https://elsewhere.example/', date }, view('a')];
  const outcomes = ['stored', 'stored', 'foreign-host', 'stored'];
  expect(await send(server, 'import-0a1b-0', batch)).toEqual({ outcomes });
  expect(await server.stop()).toBe(0);
  const { dataDir } = server;
  forgetTokens(dataDir);
  server = await startServer({ dataDir });
  expect(await send(server, 'import-0a1b-0', batch)).toEqual({ outcomes });
  expect(await send(server, 'import-0a1b-4', [view('c')])).toEqual({ outcomes: ['stored'] });
  const { data } = await getJson<{ data: { title: string; _hits: number }[] }>(server, '/v2/analytics/posts', {
    ...{ apikey, secret, period_start: '5d' },
  });
  expect(Object.fromEntries(data.map(({ title, _hits }) => [title, _hits]))).toEqual({ a: 2, b: 1, c: 1 });
  expect(await server.stop()).toBe(0);
});
