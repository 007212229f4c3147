// A database into another, empty one, while its server uses it. What is there at a cut is copied first, then what came
// since, in rounds that become shorter. For the last of them writes wait: events in the write-ahead log, everything
// else at the lock. When both databases are the same, the server continues with the new one, and what waited is written
// there.
//
// Each step can be broken off: the source stays what it is until the last, and the same move continues from what the
// marker of the target and the cut of the source say.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { compareMoved } from './compareMoved.ts';
import { connect, type EngineOptions } from './connect.ts';
import { countLiveCopies, EXPIRY_SECONDS } from './copies.ts';
import { type Copying, copyAll, type MoveReport } from './copyPieces.ts';
import {
  baseOf,
  type Cutting,
  dropBase,
  dropCut,
  dropGroup,
  type Group,
  groupsBefore,
  hasCut,
  makeCut,
  monthsOf,
  nextRound,
  prepareCut,
  readCut,
  readLater,
  writtenTables,
} from './cut.ts';
import { type Engine, membersOf } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import {
  completeTarget,
  emptyTarget,
  identityOf,
  keeperOf,
  openTarget,
  type Place,
  placesOf,
  prepareTarget,
  record,
  reopenTarget,
  type Side,
  stepsOf,
} from './moveTarget.ts';
import { isChanging, removalsEnded } from './openMutations.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import { MOVED_TO } from './schema/serverTables.ts';
import { createTable } from './schema/statements.ts';
import { type RowTable, rowTables } from './stage.ts';

export interface LiveMove {
  /** Empty, or what an earlier run left. */
  to: EngineOptions;
  /** What the target is called, for people: no secrets. */
  name: string;
  progress: Copying['progress'];
  /** Aborted: it ends before its next step. Once writes wait it continues to its end. */
  signal: AbortSignal;
  /** Holds events back. @returns Releases them. */
  pause(): Promise<() => void>;
  /** Called when all is copied: from now on the data folder belongs to the target. */
  switched(): Promise<void>;
}

export interface LiveMoveTools {
  lock: ReadWriteLock;
  log: Logger;
  now: () => number;
  /** An engine as the server uses it. */
  asUsed(engine: Engine): Engine;
}

export interface LiveMoveReport {
  rows: MoveReport;
  /** Rows that were written while it was copied. */
  later: number;
  /** Milliseconds for which writes waited at its end. */
  waited: number;
}

export interface MoveStore {
  /**
   * Copies the database into another one while it is used, and continues with that one. Nothing can be erased
   * meanwhile.
   * @throws {EngineOpenError} when it cannot be done; then it continues as before.
   */
  run(move: LiveMove): Promise<LiveMoveReport>;
  /** Gives up a move that was begun. @returns false where there was none. */
  cancel(): Promise<boolean>;
}

interface Moving extends LiveMove, LiveMoveTools {
  source: Side;
  target: Side;
  written: RowTable[];
  remedy: string;
}

const REMEDY =
  'Does another program write to the database? Stop it, give the move up with afterword move --cancel, and begin anew with an empty database.';
/** Writes may wait for so many rows. */
const FEW_ROWS = 5_000;
const MOST_ROUNDS = 20;
/** Rows that travel at once, about. */
const PART_ROWS = 50_000;

/**
 * @throws {EngineOpenError} when one of them cannot be used, or they are not the same in the end: then the source
 * continues serving.
 */
export async function moveLive(options: LiveMove, tools: LiveMoveTools): Promise<LiveMoveReport> {
  const { lock, log, now } = tools;
  const engine = lock.inner();
  const places = await placesOf(engine);
  await requireAlone(places, options.signal);
  const destination = await connect(options.to);
  let isKept = false;
  try {
    const target = await prepareTarget(destination, { log, now, source: await identityOf(engine) });
    const source: Side = { engine, places, tables: rowTables(engine) };
    const written = writtenTables(source.tables);
    const moving: Moving = { ...options, ...tools, source, target, written, remedy: REMEDY };
    await begin(moving);
    await copyBase(moving);
    const later = await catchUp(moving);
    const last = await switchOver(moving);
    isKept = true;
    return { rows: last.rows, later: later + last.later, waited: last.waited };
  } finally {
    if (!isKept) await destination.close();
  }
}

/**
 * This server is counted, too; others would write past its lock. A copy that was killed counts as live until its
 * heartbeat expires.
 */
async function requireAlone(places: readonly Place[], signal: AbortSignal): Promise<void> {
  const servers = places.map(({ server }) => server);
  for (let waited = 0; (await countLiveCopies(servers)) > 1; waited++) {
    if (waited > EXPIRY_SECONDS)
      throw new EngineOpenError(
        'Another copy of the server uses this database: stop it (this one continues serving), and run the same command again.',
      );
    await sleep(1_000, undefined, { signal });
  }
}

/** Makes a cut, or finds the one of an earlier run. */
async function begin(moving: Moving): Promise<void> {
  const { lock, source, target, written, now } = moving;
  const { places, tables } = source;
  await reopenTarget(target);
  const found = await readCut(places);
  lock.setMoving(true);
  if (found !== undefined && (await stepsOf(keeperOf(target), 'live')).has(found.id)) return;
  await emptyTarget(target);
  const cutting = { places, tables, written, id: randomUUID() };
  await prepareCut(cutting);
  while (!(await cutUnchanged(moving, cutting)));
  await record(keeperOf(target), { step: 'live', of: cutting.id, at: now() });
}

/** @returns false where a statement that removes rows was still open. */
async function cutUnchanged(moving: Moving, cutting: Cutting): Promise<boolean> {
  const { source, progress, signal, log } = moving;
  const waiting = (note: string) => {
    progress(0, 1, note);
    log.info('the move waits for rows that are being removed');
  };
  await removalsEnded(source.engine, { waiting, signal });
  return await withoutWrites(moving, async () => {
    if (await isChanging(source.engine)) return false;
    await makeCut(cutting);
    return true;
  });
}

async function withoutWrites<T>({ lock, pause }: Moving, work: () => Promise<T>): Promise<T> {
  const goOn = await pause();
  try {
    return await lock.exclusive(work);
  } finally {
    goOn();
  }
}

async function copyBase(moving: Moving): Promise<void> {
  const { source, target, now } = moving;
  if ((await stepsOf(keeperOf(target), 'base')).size === 0) {
    await copyAll({ ...moving, source: { ...source, tables: baseOf(source.tables) } });
    await record(keeperOf(target), { step: 'base', of: '', at: now() });
  }
  await dropBase(source.places);
}

/** @returns Rows that came since the cut. */
async function catchUp(moving: Moving): Promise<number> {
  const { source, written } = moving;
  const { places } = source;
  let sum = 0;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    await withoutWrites(moving, () => nextRound({ places, written }));
    const groups = await groupsBefore((await readCut(places))!.round, { places, written });
    const rows = await apply(moving, groups);
    sum += rows;
    if (rows <= FEW_ROWS) break;
  }
  return sum;
}

/** @returns Rows that were written into the target. */
async function apply(moving: Moving, groups: readonly Group[]): Promise<number> {
  const { target, progress, signal, now } = moving;
  const keeper = keeperOf(target);
  const { id } = (await readCut(moving.source.places))!;
  const applied = await stepsOf(keeper, 'applied');
  const total = groups.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const group of groups) {
    progress(done, total, `catching up, ${group.table.name}`);
    if (group.table.partition !== undefined)
      for (const of of await monthsOf(group)) await record(keeper, { step: 'touched', of, at: now() });
    const parts = Math.ceil(group.rows / PART_ROWS);
    for (let part = 0; part < parts; part++) {
      signal.throwIfAborted();
      const of = `${group.name}/${part}`;
      if (applied.has(of)) continue;
      const { name, columns } = group.table;
      // Under its token it is written once, also where the process ended before it was recorded.
      await target.engine.insert(name, { columns, text: await readLater(group, part, parts) }, `move-${id}-${of}`);
      await record(keeper, { step: 'applied', of, at: now() });
    }
    await dropGroup(group);
    done += group.rows;
  }
  return total;
}

async function switchOver(moving: Moving): Promise<LiveMoveReport> {
  const { lock, source, target, written, now, asUsed, name, switched, log } = moving;
  const { places, engine } = source;
  await requireAlone(places, moving.signal);
  moving.signal.throwIfAborted();
  // Once writes are blocked the signal comes too late.
  const last = { ...moving, signal: new AbortController().signal };
  const warnOfSource = (err: unknown) =>
    log.warn({ err }, 'the database that was moved could not be marked as left: do not start a server on it again');
  const report = await withoutWrites(moving, async () => {
    const start = now();
    // Where this fails, what is written then is of another round.
    await nextRound({ places, written });
    const later = await apply(last, await groupsBefore((await readCut(places))!.round, { places, written }));
    const rows = await compareMoved(last);
    await completeTarget(target, start);
    await switched();
    // Too late to go back: the data folder belongs to the target.
    if (!engine.folders) await leaveFor(name, { engine, at: start }).catch(warnOfSource);
    lock.replace(asUsed(target.engine));
    lock.setMoving(false);
    return { rows, later, waited: now() - start };
  });
  await tidyUp(moving).catch((err: unknown) =>
    log.warn({ err }, 'the database that was moved could not be tidied up; it is not used any more'),
  );
  return report;
}

/** From here on the source refuses to be opened: its URL may still stand in the settings of a server. */
async function leaveFor(name: string, { engine, at }: { engine: Engine; at: number }): Promise<void> {
  for (const member of membersOf(engine)) {
    await member.command(createTable(MOVED_TO));
    await member.insert(MOVED_TO.name, [{ to: name, at }]);
  }
}

async function tidyUp({ source, target }: Moving): Promise<void> {
  await openTarget(target.engine);
  await dropCut(source.places);
  await source.engine.close();
}

/**
 * Cancels a move: its state is deleted from the source.
 * @returns false where none was begun.
 */
export async function cancelMove(lock: ReadWriteLock): Promise<boolean> {
  const places = await placesOf(lock.inner());
  const isBegun = await hasCut(places[0]!.server);
  await lock.exclusive(() => dropCut(places));
  lock.setMoving(false);
  return isBegun;
}
