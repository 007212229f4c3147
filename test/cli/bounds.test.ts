// What keeps slow and hostile senders out, before any application sees them.
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

afterAll(removeDataDirs);

test('a request that never ends is cut off, and one with huge headers refused', async () => {
  const server = await startServer();
  const response = await fetch(`${server.url}/healthz`, { headers: { 'X-Long': 'x'.repeat(20_000) } });
  expect(response.status).toBe(431);
  const { port, hostname } = new URL(server.url);
  const slow = connect(Number(port), hostname);
  let answer = '';
  slow.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n');
  await until('the slow request is answered', () => answer.includes('408'));
  slow.destroy();
  await server.stop();
});
