// Work on a whole database: with progress, with what is said when it is interrupted, and with errors in an operator's
// words.
import type { Logger } from 'pino';
import type { DataFlags } from './dataCommand.ts';

export interface LongWork {
  title: string;
  /** Said after the first signal, before the process ends. */
  interrupted: string;
  logFormat: DataFlags['logFormat'];
}

/** What the work is given. */
export interface WorkTools {
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  progress(done: number, total: number, note: string): void;
}

/** @throws {CommandError} for what an operator can do something about, else the error itself. */
export async function longWork<T>(
  { title, interrupted, logFormat }: LongWork,
  work: (tools: WorkTools) => Promise<T>,
): Promise<T> {
  const [{ openProgress }, { createLog }, { inWords }] = await Promise.all([
    import('./progress.ts'),
    import('./log.ts'),
    import('./openData.ts'),
  ]);
  const bar = openProgress({ title, total: 1, elsewhere: 'now and then', interrupted: () => interrupted });
  try {
    return await work({
      log: createLog({ level: 'warn', format: logFormat, to: 'stderr' }),
      now: () => Date.now(),
      progress: (done, total, note) => bar.update(done, note, total),
    }).catch(inWords);
  } finally {
    bar.close();
  }
}
