// Periodic work: it repeats, survives its own failures, never overlaps itself, and stops when told.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startJobs } from '../server/jobs.ts';
import { until } from './support/until.ts';

/** A log that is kept as lines. */
function keepLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test('a failure is logged with the name of the work, and the work goes on', async () => {
  const { lines, log } = keepLog();
  let runs = 0;
  const run = async () => {
    runs++;
    if (runs === 1) throw new Error('the database is away');
  };
  const stop = startJobs([{ name: 'look around', every: 1, run }], log, () => 0);
  await until('it ran again', () => runs >= 3);
  await stop();
  expect(lines).toMatchObject([{ job: 'look around', err: { message: 'the database is away' } }]);
});

test('the same failure again is one line a minute without a stack, which says how many there were', async () => {
  const { lines, log } = keepLog();
  let runs = 0;
  let now = 0;
  const run = async () => {
    runs++;
    throw Object.assign(new Error('Cannot reserve 1.00 MiB, not enough space\nand the statement'), { code: '243' });
  };
  const stop = startJobs([{ name: 'read pages', every: 1, run }], log, () => now);
  await until('it failed often', () => runs >= 10);
  expect(lines).toHaveLength(1);
  now = 60_000;
  await until('a minute has passed', () => lines.length === 2);
  await stop();
  expect(lines[0]).not.toHaveProperty('err');
  expect(lines[1]).toMatchObject({ job: 'read pages', reason: 'Cannot reserve 1.00 MiB, not enough space' });
  expect(lines[1]!.more).toBeGreaterThanOrEqual(9);
  expect(JSON.stringify(lines[1]).length).toBeLessThan(300);
});

test('a slow run is waited for, by the next one and by the end', async () => {
  let running = 0;
  let most = 0;
  let finish = () => {};
  const run = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((done) => {
      finish = done;
    });
    running--;
  };
  const stop = startJobs([{ name: 'slow', every: 1, run }], keepLog().log, () => 0);
  await until('it runs', () => running === 1);
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await new Promise((done) => setImmediate(done));
  expect({ stopped, most }).toEqual({ stopped: false, most: 1 });
  finish();
  await stopping;
  expect(running).toBe(0);
});

test('stopped before its first turn, it never runs', async () => {
  let runs = 0;
  const run = async () => {
    runs++;
  };
  await startJobs([{ name: 'never', every: 60_000, run }], keepLog().log, () => 0)();
  expect(runs).toBe(0);
});
