// The lock of a data folder: one of those that start at the same moment holds it, and a process that is killed holds it
// no more.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { findSocket, holdSocket, SocketTakenError } from '../../server/cli/socket.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

const PROGRAM = fileURLToPath(new URL('./holdLock.ts', import.meta.url));
const LOADER = import.meta.resolve('tsx');
/** Each pair starts at the same millisecond. */
const STARTS = 50;
const KILLS = 4;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});
afterAll(removeDataDirs);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function holder(): Promise<ChildProcess> {
  const child = fork(PROGRAM, { execArgv: ['--import', LOADER] });
  children.push(child);
  await said(child);
  return child;
}

const said = async (child: ChildProcess): Promise<string> => (await once(child, 'message'))[0];

/** Several take the same folder at the same millisecond. */
async function race(dataDir: string, racers: readonly ChildProcess[]): Promise<string[]> {
  const outcomes = racers.map(said);
  const at = Date.now() + 20;
  for (const racer of racers) racer.send({ dataDir, at });
  return await Promise.all(outcomes);
}

async function release(child: ChildProcess): Promise<void> {
  const done = said(child);
  child.send('release');
  expect(await done).toBe('released');
}

test('of two processes that start at the same millisecond exactly one holds it, fifty times', async () => {
  const racers = [await holder(), await holder()];
  // Now in a fresh folder, now in one that was let go before: both must be won once.
  const used = makeDataDir();
  for (let start = 0; start < STARTS; start++) {
    const outcomes = await race(start % 2 === 0 ? used : makeDataDir(), racers);
    expect([...outcomes].sort()).toEqual(['held', 'taken']);
    await release(racers[outcomes.indexOf('held')]!);
  }
});

test('what was killed with -9 holds nothing, and one of three that start after it does', async () => {
  const dataDir = makeDataDir();
  const racers = [await holder(), await holder(), await holder()];
  for (let kill = 0; kill < KILLS; kill++) {
    const killed = await holder();
    expect(await race(dataDir, [killed])).toEqual(['held']);
    await end(killed);
    const outcomes = await race(dataDir, racers);
    expect([...outcomes].sort()).toEqual(['held', 'taken', 'taken']);
    await release(racers[outcomes.indexOf('held')]!);
  }
  // What was left behind is gone but for the last.
  expect(readdirSync(join(dataDir, 'run'))).toHaveLength(1);
});

test('one that is stopped, and answers nothing, holds it all the same', async () => {
  const dataDir = makeDataDir();
  const stopped = await holder();
  expect(await race(dataDir, [stopped])).toEqual(['held']);
  stopped.kill('SIGSTOP');
  await expect(holdSocket(dataDir, createServer())).rejects.toThrow(SocketTakenError);
  stopped.kill('SIGCONT');
});

test('a folder whose path is too long for a socket is held as well', async () => {
  const dataDir = join(makeDataDir(), 'd'.repeat(120));
  mkdirSync(dataDir);
  const first = createServer();
  const letGo = await holdSocket(dataDir, first);
  const path = await findSocket(dataDir);
  expect(path).toBeDefined();
  await expect(holdSocket(dataDir, createServer())).rejects.toThrow(SocketTakenError);
  await new Promise((done) => first.close(done));
  await letGo();
  expect(await findSocket(dataDir)).toBeUndefined();
  const second = createServer();
  const release = await holdSocket(dataDir, second);
  expect(await findSocket(dataDir)).not.toBe(path);
  await new Promise((done) => second.close(done));
  await release();
});
