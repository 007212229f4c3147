// The queue between the doors and the engine: group commit → write-ahead log → inserts. README.md has the drawing.
import type { Logger } from 'pino';
import type { EventStore } from '../../storage/store.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { Lines } from '../lines.ts';
import type { Backlog } from '../types.ts';
import { createGroupCommit, type GroupCommit } from './groupCommit.ts';
import { createSpool, type LiveLog, type Spool } from './spool.ts';
import { openWriteAheadLog, type WriteAheadLog } from './wal/writeAheadLog.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

export interface QueueOptions extends Omit<WriterOptions, 'insert' | 'columns' | 'wal'> {
  events: Pick<EventStore, 'appendLines' | 'columns'>;
  /** Folder of the write-ahead log. Undefined: there is none, and a group is acknowledged when it is stored. */
  dir: string | undefined;
  /** Bytes of the log; default 1 GiB. */
  maxBytes?: number | undefined;
  /** As `WriteAheadLogOptions.isUnchecked`. */
  isUnchecked(): boolean;
  /** Called with each row that an earlier process left in the log. */
  onRow(row: string): void;
  /** Epoch milliseconds. */
  now(): number;
}

export interface Queue extends Pick<GroupCommit, 'written' | 'add'>, Pick<Writer, 'pause'> {
  /** Where rows are written before they are announced by `add`, in the same turn. */
  lines: Lines;
  backlog(): Backlog;
  /** Dead letters; undefined without a log. */
  spool: Spool | undefined;
  /** Acknowledges what waits, takes no more, and gives the inserts a moment. */
  drain(): Promise<void>;
}

/** Resolves when the files of an earlier process are stored, or have to wait. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { events, dir, maxBytes = INGEST_LIMITS.logBytes, isUnchecked, onRow, log, now } = options;
  const { columns, appendLines: insert } = events;
  const wal =
    dir === undefined ? undefined : await openWriteAheadLog({ dir, columns, maxBytes, isUnchecked, log, now }, onRow);
  const writer = createWriter({ ...options, insert, columns, wal });
  const spool = wal && dir !== undefined ? createSpool({ dir, columns, insert, live: liveOf(wal, writer) }) : undefined;
  await warnOfDeadLetters(spool, log);
  await writer.recovered;
  const lines = new Lines();
  const { unsyncedEvents, gatherSenders, gatherMs } = INGEST_LIMITS;
  const group = createGroupCommit({
    write: ({ rows, callers }) => writer.write({ text: lines.take(), events: rows, senders: callers }),
    maxWaiting: unsyncedEvents,
    gather: { callers: gatherSenders, ms: gatherMs },
  });
  return {
    lines,
    written: group.written,
    add: group.add,
    spool,
    pause: writer.pause,
    backlog: () => ({
      waiting: group.depth(),
      ...backlogOf(wal, now()),
      retrying: writer.retrying(),
      spoolRoom: wal === undefined ? 0 : Math.max(0, maxBytes - wal.bytes()),
    }),
    async drain() {
      await group.drain();
      await writer.close();
    },
  };
}

const liveOf = (wal: WriteAheadLog, { retrying }: Writer): LiveLog => ({
  unreadable: () => wal.unreadable(),
  unfinished: () => wal.unfinished(),
  waiting: () => ({ files: wal.files().length, events: wal.events() }),
  retrying,
});

const DEAD_LETTERS =
  'files of the spool hold acknowledged events that are not counted: afterword spool list says which, afterword spool retry tries again';

async function warnOfDeadLetters(spool: Spool | undefined, log: Logger): Promise<void> {
  const { files } = (await spool?.report()) ?? { files: [] };
  if (files.length > 0) log.warn({ files: files.map(({ file }) => file) }, DEAD_LETTERS);
}

/** Acknowledged events that are not stored yet. */
function backlogOf(wal: WriteAheadLog | undefined, now: number) {
  const files = wal?.files() ?? [];
  return {
    spooledGroups: files.length,
    spooledEvents: wal?.events() ?? 0,
    spooledBytes: wal?.bytes() ?? 0,
    spooledFor: files[0] === undefined ? 0 : Math.max(0, now - files[0].since),
  };
}
