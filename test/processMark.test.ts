// Marks of processes in lock files, which outlive their processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { markOf, runningBy } from '../server/processMark.ts';

test('a mark names its process while that runs', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const mark = await markOf(child.pid!);
  expect(await runningBy(`${mark}\n`)).toBe(child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await runningBy(mark)).toBeUndefined();
});

test.runIf(process.platform === 'linux')('another process with the same id is not that of the mark', async () => {
  expect(await markOf(process.pid)).toMatch(/^\d+ \d+$/);
  expect(await runningBy(`${process.pid} 1`)).toBeUndefined();
});

test.each(['', 'x', '0', '-1', '1e99', '\0'])('%j is no mark', async (text) => {
  expect(await runningBy(text)).toBeUndefined();
});

test('where the system says no time of a start, the id alone is the mark', async () => {
  expect(await runningBy(String(process.pid))).toBe(process.pid);
});
