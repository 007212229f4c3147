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
  const stop = startJobs([{ name: 'look around', every: 1, run }], log);
  await until('it ran again', () => runs >= 3);
  await stop();
  expect(lines).toMatchObject([{ job: 'look around', err: { message: 'the database is away' } }]);
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
  const stop = startJobs([{ name: 'slow', every: 1, run }], keepLog().log);
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
  await startJobs([{ name: 'never', every: 60_000, run }], keepLog().log)();
  expect(runs).toBe(0);
});
