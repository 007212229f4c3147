// A pause of the replay, for a change of the database: while it lasts, events are in the write-ahead log alone. Each
// file is either stored and removed, or no insert was made from it.
import { withDeadline } from '../../deadline.ts';
import { OverloadedError } from '../../errors.ts';
import { INGEST_LIMITS } from '../limits.ts';
import type { LogFile } from './wal/logFile.ts';

export interface ReplayPauseOptions {
  /** Called when a pause begins: ends the pause between inserts of the writer. */
  begin(): void;
  /** Whether no file of an earlier process, and no insert, is open. */
  isSettled(): boolean;
  /** Of the log. */
  files(): readonly LogFile[];
}

export interface ReplayPause {
  /** Resolves when the pause is over; undefined where there is none. */
  over(): Promise<void> | undefined;
  /** Runs the insert of one file; begins at once. */
  send<T>(work: () => Promise<T>): Promise<T>;
  /** The rows of a file were sent to the engine before they were written to it, and may be stored. */
  wasSent(file: LogFile): void;
  /**
   * Resolves when no insert is under way.
   * @returns Ends the pause.
   * @throws {OverloadedError} when the insert under way takes longer than a minute; there is no pause then.
   */
  pause(): Promise<() => void>;
  end(): void;
}

export function createReplayPause({ begin, isSettled, files }: ReplayPauseOptions): ReplayPause {
  let paused: { over: Promise<void>; end(): void } | undefined;
  let sending: Promise<unknown> | undefined;
  const doubtful = new WeakSet<LogFile>();

  return {
    over: () => paused?.over,
    end: () => paused?.end(),
    wasSent: (file) => void doubtful.add(file),

    async send(work) {
      const sent = work();
      sending = sent;
      try {
        return await sent;
      } finally {
        sending = undefined;
      }
    },

    async pause() {
      if (paused) throw new OverloadedError('Events are kept in the write-ahead log already.');
      let end = () => {};
      const over = new Promise<void>((done) => {
        end = () => {
          paused = undefined;
          done();
        };
      });
      paused = { over, end };
      begin();
      try {
        await withDeadline(Promise.resolve(sending), INGEST_LIMITS.pauseMs, () => {
          throw new Error(`The insert under way takes longer than ${INGEST_LIMITS.pauseMs} ms.`);
        });
        if (!isSettled() || files().some((file) => doubtful.has(file)))
          throw new OverloadedError('Events from before wait for the engine: try again when they are stored.');
      } catch (error) {
        end();
        if (error instanceof OverloadedError) throw error;
        throw new OverloadedError('The engine does not take the events that wait.', { cause: error });
      }
      return end;
    },
  };
}
