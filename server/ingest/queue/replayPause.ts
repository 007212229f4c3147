// A pause of the replay, for a change of the database: while it lasts events are in the write-ahead log only. A file is never left half
// way: it is in the engine and gone, or was never sent.
import { OverloadedError } from '../../errors.ts';
import { within } from './deadline.ts';
import type { LogFile } from './wal/writeAheadLog.ts';

export interface ReplayPauseOptions {
  /** Called when a pause begins: ends rests, and answers senders that wait for the engine. */
  begin(): void;
  /** Whether nothing of an earlier process, and no attempt, is open. */
  isSettled(): boolean;
  /** Of the log. */
  files(): readonly LogFile[];
}

export interface ReplayPause {
  /** Resolves when the pause is over; undefined where there is none. */
  over(): Promise<void> | undefined;
  /** Sends one file; begins at once. */
  send<T>(work: () => Promise<T>): Promise<T>;
  /** The rows of a file were sent before they were written to it, and may be in the engine. */
  wasSent(file: LogFile): void;
  /**
   * Resolves when no file is being sent, with what ends the pause.
   * @throws {OverloadedError} when the engine does not take the file under way within a minute; there is no pause then.
   */
  pause(): Promise<() => void>;
  end(): void;
}

/** How long a pause waits for the file under way. */
const PATIENCE_MS = 60_000;

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
        await within(PATIENCE_MS, Promise.resolve(sending));
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
