// What storage/ asks of a ClickHouse engine, wherever it runs. Only connect.ts knows which one answers.
import type { ClusterLayout } from './schema/table.ts';

export type Row = Record<string, unknown>;

/** Rows written as TabSeparated text already: one line a row, its values in the order of the columns. */
export interface EncodedRows {
  columns: readonly string[];
  /** In UTF-8. */
  text: Buffer;
}

export interface HowToAsk {
  /** Seconds it may take. Default: 15. */
  maxSeconds?: number;
  /** A load or a periodic job, which waits behind the requests of readers. Default: false. */
  background?: boolean;
}

export interface HowToReadLines {
  /** Default: JSON. */
  format?: 'JSONEachRow' | 'TabSeparated';
  /** Seconds it may take. Default: 15. */
  maxSeconds?: number;
}

export interface HowToInsert {
  /**
   * The rows of the table, and those its views make of one insert, have keys of their own: the engine need not look for
   * rows to merge before it writes them. Default: it looks.
   */
  grouped?: boolean;
}

/** The cluster that several servers form. */
export interface EngineCluster extends ClusterLayout {
  /** The servers as they are: their statements run as they are written. */
  readonly members: readonly Engine[];
}

export interface Engine {
  /** Undefined for one server, and for the engine inside. */
  readonly cluster?: EngineCluster | undefined;
  /** The servers of a cluster, each with a schema of its own to bring up to date; undefined where there is only one. */
  readonly servers?: readonly Engine[] | undefined;
  /**
   * Runs one SELECT. Values are bound to `{name:Type}` placeholders, never pasted into the text.
   * 64-bit integers arrive as numbers: exact to 2^53, so select hashes as `toString(post)`.
   * Sites take turns: the value bound as `site` says whose question it is.
   * @throws {QueryTimeoutError} after `maxSeconds`.
   * @throws {StoreUnavailableError} when the engine, or a part of it, cannot answer now; `ClickHouseError` with `.code`
   * for a refused statement.
   */
  rows<T extends object = Row>(sql: string, params?: Record<string, unknown>, how?: HowToAsk): Promise<T[]>;
  /**
   * As `rows`, for loads: one line of text a row, for a thread that parses them. The bytes are the caller's alone, and
   * may be handed on.
   * @throws As `rows`.
   */
  lines(sql: string, params?: Record<string, unknown>, how?: HowToReadLines): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Inserts rows, all with the columns of the first; resolves when they are on the disk. No rows: nothing happens.
   * With a token, rows that were already committed under it are not stored again, in roll-ups neither.
   */
  insert(table: string, rows: readonly object[] | EncodedRows, token?: string, how?: HowToInsert): Promise<void>;
  /** Runs one statement that answers nothing: DDL, ALTER, DELETE. In a cluster, on every server. */
  command(sql: string, params?: Record<string, unknown>): Promise<void>;
  /** Rejects with the engine's error when it does not answer a trivial question. */
  ping(): Promise<void>;
  /** Servers that do not answer now, by host and port; none for the engine inside. Never rejects. */
  away(): Promise<string[]>;
  /** Backups can be written to folders of this machine. */
  readonly folders?: true | undefined;
  /** Waits for the statements under way, then closes the connections. */
  close(): Promise<void>;
}

/** The servers of a database: those of the cluster, or the one engine. */
export const serversOf = (engine: Engine): readonly Engine[] => engine.servers ?? [engine];

/** The same servers in the same order, for statements that must run as they are written, not as those of a cluster. */
export const membersOf = (engine: Engine): readonly Engine[] => engine.cluster?.members ?? [engine];
