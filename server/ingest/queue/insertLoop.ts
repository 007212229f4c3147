// Inserts the files of the write-ahead log into the engine, one at a time and in order.
import type { Logger } from 'pino';
import { type Pauses, retryWithBackoff } from '../../backoff.ts';
import { withDeadline } from '../../deadline.ts';
import { INGEST_LIMITS } from '../limits.ts';
import type { FileRetry } from './fileRetry.ts';
import { createTrafficMeter, pauseAfter } from './insertPause.ts';
import type { Replay } from './replay.ts';
import type { ReplayPause } from './replayPause.ts';
import { LogFileError } from './wal/fileAccess.ts';
import type { LogFile } from './wal/logFile.ts';
import type { WriteAheadLog } from './wal/writeAheadLog.ts';

export interface InsertLoopOptions {
  wal: Pick<WriteAheadLog, 'files' | 'events'>;
  replay: Replay;
  fileRetry: FileRetry;
  pausing: Pick<ReplayPause, 'over' | 'send'>;
  pauses: Pauses;
  log: Logger;
  /** Monotonic milliseconds. */
  clock(): number;
  retryMs: readonly [first: number, longest: number];
  intervalMs: number;
  /** Called when a file is in the tables, with the seconds since its first group was synced. */
  onStored?: ((seconds: number) => void) | undefined;
}

export class InsertLoop {
  /** Resolves when the files of an earlier process are in the engine, or have to wait; after 15 s at the latest. */
  readonly recovered: Promise<void>;
  readonly #options: InsertLoopOptions;
  readonly #traffic;
  readonly #syncedAt = new WeakMap<LogFile, number>();
  #left: number;
  #endRecovery: () => void = () => {};
  #endInterval: () => void = () => {};
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: InsertLoopOptions) {
    this.#options = options;
    this.#traffic = createTrafficMeter(INGEST_LIMITS.busyBatches, options.clock);
    this.#left = options.wal.files().length;
    const landed = new Promise<void>((resolve) => {
      this.#endRecovery = resolve;
    });
    this.recovered =
      this.#left > 0 ? withDeadline(landed, INGEST_LIMITS.catchUpMs, () => undefined) : Promise.resolve();
  }

  /** A group was synced to the file. */
  synced(file: LogFile, senders: number): void {
    if (!this.#syncedAt.has(file)) this.#syncedAt.set(file, this.#options.clock());
    this.#traffic.count(senders);
    this.wake();
    if (file.events >= INGEST_LIMITS.largeInsert) this.#endInterval();
  }

  /** Inserts what is in the log. */
  wake(): void {
    const { wal, fileRetry } = this.#options;
    if (wal.files().length > 0 && !this.#stopped) this.#running ??= this.#run();
    fileRetry.wake();
  }

  /** Whether the files of an earlier process are stored, and no file waits for its retry. */
  isSettled(): boolean {
    return this.#left === 0 && this.#options.fileRetry.retrying().files === 0;
  }

  /** No insert begins any more. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no insert is under way, and none follows. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { wal, pausing, fileRetry, pauses, log } = this.#options;
    while (wal.files().length > 0 && !this.#stopped) {
      const file = pausing.over() ? undefined : fileRetry.next(wal.files());
      if (!file) {
        await (pausing.over() ?? fileRetry.changed());
        continue;
      }
      let tookMs: number | undefined;
      try {
        tookMs = await pausing.send(() => this.#store(file));
        if (tookMs === undefined && pauses.isClosed()) break;
      } catch (error) {
        log.info({ err: error, files: wal.files().length }, 'events stay in the write-ahead log');
        break;
      }
      await this.#pause(file.events, tookMs ?? 0);
    }
    // In the same turn as the last look at the files: a group that is synced later starts a new run.
    this.#running = undefined;
  }

  async #pause(events: number, tookMs: number): Promise<void> {
    const { wal, pauses, intervalMs } = this.#options;
    const nextEvents = wal.files()[0]?.events ?? 0;
    const isBusy = this.#traffic.isBusy();
    const { ms, endsEarly } = pauseAfter({
      events,
      tookMs,
      nextEvents,
      waitingEvents: wal.events(),
      isBusy,
      intervalMs,
    });
    if (ms > 0) await pauses.pause(ms, endsEarly ? (end) => (this.#endInterval = end) : undefined);
  }

  /** @returns As `#replay`, of the attempt that ended it. */
  async #store(file: LogFile): Promise<number | undefined> {
    await file.seal();
    const { pauses, retryMs } = this.#options;
    return await retryWithBackoff(() => this.#replay(file), { pauses, retryMs, onFailure: this.#endRecovery });
  }

  /**
   * @returns Milliseconds it took, which say how much the engine has to do: those of an outage before it do not.
   * Undefined when the disk fails: the file is retried after a pause of its own.
   */
  async #replay(file: LogFile): Promise<number | undefined> {
    const { replay, fileRetry, clock, onStored } = this.#options;
    const start = clock();
    try {
      await replay(file);
    } catch (error) {
      if (!(error instanceof LogFileError)) throw error;
      fileRetry.postpone(file, error);
      this.#endRecovery();
      return undefined;
    }
    const tookMs = clock() - start;
    fileRetry.forget(file);
    const synced = this.#syncedAt.get(file);
    if (synced !== undefined) onStored?.((clock() - synced) / 1000);
    if (this.#left > 0) this.#left -= 1;
    if (this.#left === 0) this.#endRecovery();
    return tookMs;
  }
}
