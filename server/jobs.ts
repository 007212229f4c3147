// Periodic work is one table: what is done, how often. The table itself is made where the parts are, in
// cli/assemble.ts.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createFailureLog, type FailureLog } from './failureLog.ts';

export interface Job {
  name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  every: number;
  /** @param stop Aborted when the server stops, which waits for this run: what is left is for the next start. */
  run(stop: AbortSignal): Promise<void>;
}

/**
 * A job that changes what all copies of the server share: one of them runs it at a time. A copy that loses the job
 * while it runs it ends that run, so two runs at the same time must do no harm.
 * @param by.owns Whether this copy has the job of this name now.
 */
export function onOneCopy(job: Job, { owns, log }: { owns: (name: string) => boolean; log: Logger }): Job {
  let owned = owns(job.name);
  return {
    ...job,
    async run(stop) {
      const before = owned;
      owned = owns(job.name);
      if (owned !== before)
        log.info({ job: job.name }, owned ? 'this copy runs the job now' : 'this copy no longer runs the job');
      if (owned) await job.run(stop);
    },
  };
}

/** A job that reads what other copies of the server wrote: a database in the data folder has no other writers. */
export function whileShared(job: Job, { isShared }: { isShared: () => boolean }): Job {
  return {
    ...job,
    async run(stop) {
      if (isShared()) await job.run(stop);
    },
  };
}

/**
 * Starts the jobs; the first run of each comes after its first interval. A failure is logged and the job continues; the
 * same failure again is logged once a minute.
 * @param clock Monotonic milliseconds.
 * @returns Stops them, and waits for those that are running.
 */
export function startJobs(jobs: readonly Job[], log: Logger, clock: () => number): () => Promise<void> {
  const stopped = new AbortController();
  // One listener for each job: Node warns of a leak beyond ten.
  setMaxListeners(jobs.length, stopped.signal);
  const failures = createFailureLog(log, clock);
  const running = jobs.map((job) => repeat(job, failures, stopped.signal));
  return async () => {
    stopped.abort();
    await Promise.all(running);
  };
}

async function repeat(job: Job, failures: FailureLog, stop: AbortSignal): Promise<void> {
  while (await waited(job.every, stop)) {
    try {
      await job.run(stop);
    } catch (err) {
      failures.add(job.name, err, 'periodic work failed', { job: job.name });
    }
  }
}

/** @returns false when stopped meanwhile. */
function waited(milliseconds: number, stop: AbortSignal): Promise<boolean> {
  return new Promise((done) => {
    if (stop.aborted) return done(false);
    const finish = (result: boolean) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      done(result);
    };
    const onStop = () => finish(false);
    const timer = setTimeout(() => finish(true), milliseconds);
    timer.unref();
    stop.addEventListener('abort', onStop);
  });
}
