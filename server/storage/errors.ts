// What can go wrong with an engine, as types: callers decide by class, never by the text of a message.
import { StoreUnavailableError } from '../errors.ts';

/** Another process has the data directory. One directory belongs to one process. */
export class EngineBusyError extends Error {
  override name = 'EngineBusyError';
  readonly path: string;
  /** Process that holds it. */
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(
      `The data directory ${path} is in use by process ${pid}. ` +
        'Stop that process, give this one another directory with --data, or use a ClickHouse server with --clickhouse-url.',
    );
    this.path = path;
    this.pid = pid;
  }
}

/** The embedded engine is not installed, or not made for this platform. */
export class EngineMissingError extends Error {
  override name = 'EngineMissingError';

  constructor(cause: unknown) {
    super(
      'The embedded engine is not installed. Run `npm install chdb` (Linux with glibc or macOS), ' +
        'or point to a ClickHouse server with --clickhouse-url.',
      { cause },
    );
  }
}

/** The engine could not be opened or reached for another reason; `cause` has it. */
export class EngineOpenError extends Error {
  override name = 'EngineOpenError';
}

/** Rows may not be changed or removed while the database is copied: the copy would keep them as they were. */
export class MoveUnderWayError extends Error {
  override name = 'MoveUnderWayError';

  constructor() {
    super(
      'A move of this database has begun, and nothing can be erased until it is over: finish it (the same afterword move again), ' +
        'or give it up with afterword move --cancel.',
    );
  }
}

/** A question took longer than it may. */
export class QueryTimeoutError extends StoreUnavailableError {
  override name = 'QueryTimeoutError';
}

/** A statement failed for lack of room on the disk of the database. */
export class DiskFullError extends StoreUnavailableError {
  override name = 'DiskFullError';

  constructor(cause: unknown) {
    super('The disk of the database is full: make room on it, then try again.', { cause });
  }
}

/** The database is not the one that was expected. */
export class OtherInstallationError extends Error {
  override name = 'OtherInstallationError';
  /** Id that it has; undefined: none yet. */
  readonly found: string | undefined;

  constructor(found: string | undefined) {
    super('The database is not the one that was expected.');
    this.found = found;
  }
}

/** The database was written by a newer program than this one. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError';
}

/**
 * The engine's own number for what it refused (`62` is a syntax error), undefined for an error of another origin. By
 * shape: the embedded engine and the HTTP client have a copy of the error class each, and the former one more of its
 * own.
 * @see https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
export function engineCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('clickhouseCode' in error && typeof error.clickhouseCode === 'number') return error.clickhouseCode;
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  return /^\d+$/.test(error.code) ? Number(error.code) : undefined;
}

/** The connection was refused or broke, or no answer came. What a broken one left behind is not known. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  // An answer that ends in the middle.
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Whether a server could not be reached: by code, of the error or of what caused it. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && UNREACHABLE.has(error.code)) return true;
  return isUnreachable(error.cause);
}

/**
 * Whether something failed because the database, or a part of it, is away or does not keep up: by the error, or what
 * caused it.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof StoreUnavailableError || isUnreachable(error) || isOutage(error.cause);
}

/**
 * Codes of a server that runs while another server of its cluster does not, or that is overloaded: the answer of
 * another server is cut off (two codes), socket timeout, network error, too many questions, no server of a shard
 * answers, read-only table, Keeper is away.
 */
const PASSING = new Set([32, 33, 198, 202, 209, 210, 242, 279, 519, 999]);

/** Codes of an engine that has no memory for a statement: its limit is reached, or the machine has none left. */
const OUT_OF_MEMORY = new Set([173, 241]);

export const isOutOfMemory = (error: unknown): boolean => OUT_OF_MEMORY.has(engineCode(error) ?? 0);

/** A part cannot be begun: less room is left than the engine reserves for it. */
const NOT_ENOUGH_SPACE = 243;
/** What the system says of a file, under several codes of the engine. */
const NO_ROOM = /No space left on device|Dis[ck] quota exceeded/;

export function isDiskFull(error: unknown): boolean {
  const code = engineCode(error);
  return code === NOT_ENOUGH_SPACE || (code !== undefined && NO_ROOM.test((error as Error).message));
}

/** Whether the engine refused for a reason that passes by itself. */
export function isPassing(error: unknown): boolean {
  return PASSING.has(engineCode(error) ?? 0);
}
