// Files of the write-ahead log that cannot be used now: each is retried after a pause of its own, which doubles, and
// other files are inserted meanwhile.
import type { Logger } from 'pino';
import type { LogThrottle } from '../../logThrottle.ts';
import type { LogFileError } from './wal/fileAccess.ts';
import type { LogFile } from './wal/logFile.ts';

export interface FileRetry {
  /** Starts a pause of the file, twice as long as its last one. */
  postpone(file: LogFile, error: LogFileError): void;
  /** The first file that is not in its pause. */
  next(files: readonly LogFile[]): LogFile | undefined;
  /** The file was stored. */
  forget(file: LogFile): void;
  /** Resolves when `next` may have another answer. */
  changed(): Promise<void>;
  /** A file was added. */
  wake(): void;
  /** Files that failed and are to be retried, the events in them as far as known, and the error of the first. */
  retrying(): { files: number; events: number; why: string | undefined };
}

export interface FileRetryOptions {
  /** First and longest pause, in milliseconds. */
  retryMs: readonly [first: number, longest: number];
  /** Resolves after so many milliseconds, or earlier when the process ends. */
  pauseFor(ms: number): Promise<void>;
  log: Logger;
  /** Bounds the lines about failures. */
  throttle: LogThrottle;
}

export function createFileRetry({ retryMs, pauseFor, log, throttle }: FileRetryOptions): FileRetry {
  const failures = new Map<LogFile, { error: LogFileError; pause: number; isPaused: boolean }>();
  let wake = () => {};

  function logFailure(file: LogFile, error: LogFileError): void {
    if (throttle.pass('file') === undefined) return;
    log.error(
      { err: error, file: file.name, failing: failures.size },
      'events wait in the write-ahead log: it is tried again',
    );
  }

  return {
    postpone(file, error) {
      const [first, longest] = retryMs;
      const pause = Math.min((failures.get(file)?.pause ?? first / 2) * 2, longest);
      const failure = { error, pause, isPaused: true };
      failures.set(file, failure);
      logFailure(file, error);
      void pauseFor(pause).then(() => {
        failure.isPaused = false;
        wake();
      });
    },
    next: (files) => files.find((file) => !failures.get(file)?.isPaused),
    forget: (file) => void failures.delete(file),
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    wake: () => wake(),
    retrying() {
      const events = [...failures.keys()].reduce((sum, file) => sum + file.events, 0);
      return { files: failures.size, events, why: [...failures.values()][0]?.error.message };
    },
  };
}
