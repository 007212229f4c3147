// `afterword import` that is interrupted while a server stores what it has sent.
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { holdSocket } from '../../server/cli/socket.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { until } from '../support/until.ts';
import { startImport } from './startImport.ts';

afterAll(removeDataDirs);

/** In place of a server: stores what comes, and answers the second batch when it is let. */
async function serveSlowly(dataDir: string) {
  const state = { stored: 0, batches: 0, answer: () => {} };
  const server = createServer(async (request, response) => {
    const { lines = [] } = request.method === 'POST' ? ((await json(request)) as { lines: unknown[] }) : {};
    state.stored += lines.length;
    state.answer = () => void response.end(JSON.stringify({ outcomes: lines.map(() => 'stored') }));
    if (lines.length > 0) state.batches++;
    if (state.batches !== 2) state.answer();
  });
  const release = await holdSocket(dataDir, server);
  return {
    state,
    async close() {
      server.close();
      server.closeAllConnections();
      await release();
    },
  };
}

const SIGINT = 1n << BigInt(constants.signals.SIGINT - 1);

/** Whether the first SIGINT has been taken: the next one would end the process. Linux says which signals it catches. */
function isTaken({ pid }: ChildProcess): boolean {
  const caught = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (BigInt(`0x${caught}`) & SIGINT) === 0n;
}

const LINES = Array.from({ length: 20_000 }, (_, n) => `https://slow.example/${n},2026-01-01`);

test('whose server ends meanwhile says so, and from where it continues', async () => {
  const dataDir = makeDataDir();
  const { state, close } = await serveSlowly(dataDir);
  const file = join(dataDir, 'views.csv');
  writeFileSync(file, ['url,date', ...LINES].join('\n'));
  const { ended, output } = await startImport(dataDir, 'views', 'slow.example', file);
  await until('the second batch is sent', () => state.batches === 2);
  await close();
  expect(await ended).toBe(1);
  expect(output.stderr).toMatch(
    /^error: The server went away before it answered \(.*\): once it runs again, run the command again\. It continues after line 5,000\.$/m,
  );
});

test('it ends when what it has sent is stored and noted, so that no line counts twice when it is continued much later', async () => {
  const dataDir = makeDataDir();
  const { state, close } = await serveSlowly(dataDir);
  const file = join(dataDir, 'views.csv');
  writeFileSync(file, ['url,date', ...LINES].join('\n'));
  const { child, ended, output, lock } = await startImport(dataDir, 'views', 'slow.example', file);
  await until('the second batch is sent', () => state.batches === 2);
  child.kill('SIGINT');
  // A process that does not wait for the answer ends now.
  await until('the signal has arrived', () => child.exitCode !== null || child.signalCode !== null || isTaken(child));
  state.answer();
  expect(await ended).toBe(130);
  await close();
  const noted = JSON.parse(readFileSync(lock.replace(/\.lock$/, ''), 'utf8')).lines;
  expect({ noted, stored: state.stored }).toEqual({ noted: 10_000, stored: 10_000 });
  expect(output.stderr).toContain('Stopped after line 10,000.');
});
