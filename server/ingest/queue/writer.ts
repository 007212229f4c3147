// Writes groups of events to the write-ahead log, from which the insert loop stores them. A group is acknowledged when
// it is synced in the log; the tables follow.
import type { Logger } from 'pino';
import { createPauses, type Pauses } from '../../backoff.ts';
import { withDeadline } from '../../deadline.ts';
import { OverloadedError } from '../../errors.ts';
import { createLogThrottle, type LogThrottle } from '../../logThrottle.ts';
import type { EncodedRows } from '../../storage/engine.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { createDirectWrite, type DirectWrite } from './directWrite.ts';
import { createEngineInsert, type EngineInsert } from './engineInsert.ts';
import { createFileRetry, type FileRetry } from './fileRetry.ts';
import { InsertLoop } from './insertLoop.ts';
import { createReplay } from './replay.ts';
import { createReplayPause, type ReplayPause } from './replayPause.ts';
import type { Group, WriteAheadLog } from './wal/writeAheadLog.ts';

export interface WriterOptions {
  /** Writes to the engine, and settles in the end. A second insert under the same token changes nothing. */
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Keys of recently stored events; see `createReplay`. */
  storedKeys?: (() => Promise<readonly string[]>) | undefined;
  /** Names of the cells of a row. */
  columns: readonly string[];
  /** Undefined: no events are taken while the engine is away, and each sender waits for the engine. */
  wal: WriteAheadLog | undefined;
  log: Logger;
  /** Monotonic milliseconds. */
  clock(): number;
  /** Called when a file of the log is in the tables, with the seconds since its first group was synced. */
  onStored?: ((seconds: number) => void) | undefined;
  /** As in `INGEST_LIMITS`, which has the defaults. */
  deadlineMs?: number | undefined;
  retryMs?: readonly [first: number, longest: number] | undefined;
  /** Without a log the default is `directIntervalMs`. */
  intervalMs?: number | undefined;
}

/** A group, and how many senders it is from. */
export interface SentGroup extends Group {
  senders: number;
}

export interface Writer {
  /** Resolves when the files of an earlier process are in the engine, or have to wait. */
  recovered: Promise<void>;
  /**
   * Resolves when the group is synced in the log; without a log, when it is stored. One at a time.
   * @throws {OverloadedError} when nothing of the group is stored.
   * @throws {InDoubtError} when it may be stored: the insert is repeated until its outcome is known.
   */
  write(group: SentGroup): Promise<void>;
  /** Files of the log that cannot be used now, and are retried. */
  retrying: FileRetry['retrying'];
  pause: ReplayPause['pause'];
  /** Waits up to 15 s for the inserts of what is in the log; the rest stays there for the next start. */
  close(): Promise<void>;
}

interface Parts extends WriterOptions {
  pauses: Pauses;
  engine: EngineInsert;
  direct: DirectWrite;
  pausing: ReplayPause;
  fileRetry: FileRetry;
  throttle: LogThrottle;
  loop: InsertLoop | undefined;
}

export function createWriter(options: WriterOptions): Writer {
  const parts = assemble(options);
  const { pauses, engine, direct, pausing, fileRetry, loop, wal } = parts;
  const write = wal === undefined || loop === undefined ? writeDirectly(parts) : writeToLog(parts, wal, loop);
  loop?.wake();
  return {
    recovered: loop?.recovered ?? Promise.resolve(),
    write,
    retrying: fileRetry.retrying,
    pause: pausing.pause,
    async close() {
      const work = () => Promise.allSettled([loop?.idle(), direct.inDoubt()]);
      pauses.close();
      if (engine.isAway()) loop?.stop();
      await withDeadline(work(), INGEST_LIMITS.catchUpMs, () => undefined);
      loop?.stop();
      pausing.end();
      await work();
      await wal?.close();
    },
  };
}

function assemble(options: WriterOptions): Parts {
  const { insert, storedKeys, columns, wal, log, clock, onStored } = options;
  const { logAgainMs, secondTryMs } = INGEST_LIMITS;
  const throttle = createLogThrottle(logAgainMs, clock);
  const { deadlineMs = INGEST_LIMITS.deadlineMs } = options;
  const { retryMs = INGEST_LIMITS.retryMs, intervalMs = INGEST_LIMITS.intervalMs } = options;
  const pauses = createPauses();
  const engine = createEngineInsert({ insert, deadlineMs, log, spooling: wal !== undefined });
  const fileRetry = createFileRetry({ retryMs, pauseFor: pauses.pause, log, throttle });
  const pausing = createReplayPause({
    begin: pauses.endAll,
    isSettled: () => direct.inDoubt() === undefined && !engine.isBusy() && (loop?.isSettled() ?? true),
    files: () => wal?.files() ?? [],
  });
  const replay =
    wal && createReplay({ wal, insert: engine.insert, storedKeys, pause: () => pauses.pause(secondTryMs), log });
  const loop =
    wal &&
    replay &&
    new InsertLoop({ wal, replay, fileRetry, pausing, pauses, log, clock, retryMs, intervalMs, onStored });
  const direct = createDirectWrite({
    engine,
    columns,
    async append(group, token) {
      if (!wal) throw new OverloadedError('The engine is away, and there is no write-ahead log.');
      pausing.wasSent(await wal.append(group, token));
      loop?.wake();
    },
    backoff: { pauses, retryMs },
  });
  return { ...options, pauses, engine, direct, pausing, fileRetry, throttle, loop };
}

/** Without a log: inserts are `intervalMs` apart, and each group waits for its own. */
function writeDirectly({ direct, pauses, intervalMs = INGEST_LIMITS.directIntervalMs }: Parts): Writer['write'] {
  let interval: Promise<void> = Promise.resolve();
  return async (group) => {
    direct.requireSettled();
    await interval;
    interval = pauses.pause(intervalMs);
    await direct.write(group);
  };
}

function writeToLog({ direct, log, throttle }: Parts, wal: WriteAheadLog, loop: InsertLoop): Writer['write'] {
  return async (group) => {
    direct.requireSettled();
    try {
      loop.synced(await wal.append(group), group.senders);
    } catch (error) {
      if (throttle.pass('append') !== undefined)
        log.error({ err: error }, 'the write-ahead log of events cannot be written');
      // The engine may be on another disk. Groups keep their order: behind events in the log none is inserted directly.
      if (wal.files().length > 0)
        throw new OverloadedError('The write-ahead log takes no more events.', { cause: error });
      await direct.write(group);
    }
  };
}
