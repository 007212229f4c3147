// Periodic work: it repeats, survives its own failures, never overlaps itself, and stops when it is stopped.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Copies, createCopies } from '../server/crawl/copies.ts';
import { onOneCopy, startJobs } from '../server/jobs.ts';
import type { CopyStore } from '../server/storage/copies.ts';
import { until } from './support/until.ts';

/** A log that is kept as lines. */
function keepLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test('a failure is logged with the name of the work, and the work continues', async () => {
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

test('twenty jobs wait for one stop without a warning of a leak', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on('warning', keep);
  const { log } = keepLog();
  const jobs = Array.from({ length: 20 }, (_, number) => ({
    name: `job ${number}`,
    every: 60_000,
    run: async () => {},
  }));
  const stop = startJobs(jobs, log, () => 0);
  await new Promise(setImmediate);
  await stop();
  process.off('warning', keep);
  expect(warnings).toEqual([]);
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

test('a run that is under way when it is stopped is given the signal, and may end early', async () => {
  let signal: AbortSignal | undefined;
  const run = async (given: AbortSignal) => {
    signal = given;
    await new Promise((done) => given.addEventListener('abort', done));
  };
  const stop = startJobs([{ name: 'long', every: 1, run }], keepLog().log, () => 0);
  await until('it runs', () => signal !== undefined);
  await stop();
  expect(signal?.aborted).toBe(true);
});

test('stopped before its first turn, it never runs', async () => {
  let runs = 0;
  const run = async () => {
    runs++;
  };
  await startJobs([{ name: 'never', every: 60_000, run }], keepLog().log, () => 0)();
  expect(runs).toBe(0);
});

/** Heartbeats as the database keeps them: without one for 12 s a copy has ended. */
function keepHeartbeats(clock: () => number): CopyStore {
  const seen = new Map<string, number>();
  return {
    beat: async (name) => {
      seen.set(name, clock());
      return [...seen].flatMap(([copy, at]) => (at > clock() - 12_000 ? [copy] : [])).sort();
    },
    leave: async (name) => void seen.delete(name),
  };
}

test('of the copies that share a database one has a job: another one 12 s after it was killed, at once after it left', async () => {
  let time = 0;
  const clock = () => time;
  const store = keepHeartbeats(clock);
  const servers = Array.from({ length: 3 }, () => createCopies({ store, clock }));
  const command = createCopies({ store, clock, isCommand: true });
  const names = Array.from({ length: 40 }, (_, job) => `job ${job}`);
  const pass = async (seconds: number, alive: readonly Copies[]) => {
    for (let second = 0; second < seconds; second++) {
      time += 1000;
      if (second % 3 === 0) for (const copy of alive) await copy.beat();
    }
  };
  const ownersOf = (name: string) => [...servers, command].filter((copy) => copy.owns(name));
  await pass(30, [...servers, command]);
  for (const name of names) expect(ownersOf(name)).toHaveLength(1);
  for (const server of servers) expect(names.some((name) => server.owns(name))).toBe(true);
  expect(names.filter((name) => command.owns(name))).toEqual([]);

  const [killed, left] = servers as [Copies, Copies];
  const orphans = names.filter((name) => killed.owns(name));
  await pass(9, servers.slice(1));
  // It may be alive, and not able to say so: it runs nothing by now, and the others not yet.
  for (const name of orphans) expect(ownersOf(name)).toEqual([]);
  await pass(6, servers.slice(1));
  for (const name of names) expect(ownersOf(name)).toHaveLength(1);

  await left.leave();
  await pass(3, servers.slice(2));
  for (const name of names) expect(ownersOf(name)).toContain(servers[2]);
});

test('a job of all copies runs where it is owned, and the log says where', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let owned = false;
  let runs = 0;
  const run = async () => void runs++;
  const job = onOneCopy({ name: 'erase salts', every: 1, run }, { owns: () => owned, log });
  const { signal } = new AbortController();
  await job.run(signal);
  expect(runs).toBe(0);
  for (owned = true; runs < 3; ) await job.run(signal);
  owned = false;
  await job.run(signal);
  expect(runs).toBe(3);
  expect(lines.map(({ job, msg }) => [job, msg])).toEqual([
    ['erase salts', 'this copy runs the job now'],
    ['erase salts', 'this copy no longer runs the job'],
  ]);
});
