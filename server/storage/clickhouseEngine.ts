// The engine over any ClickHouse client: settings, limits, encoding, errors, shutdown.
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { StoreUnavailableError } from '../errors.ts';
import type { EncodedRows, Engine, HowToAsk, Row } from './engine.ts';
import {
  DiskFullError,
  engineCode,
  isDiskFull,
  isOutOfMemory,
  isPassing,
  isUnreachable,
  QueryTimeoutError,
} from './errors.ts';
import { createFairSemaphore } from './fairSemaphore.ts';
import { toTabSeparated } from './tabSeparated.ts';

export const MAX_READ_SECONDS = 15;
export const MAX_WRITE_SECONDS = 30;
/** Schema changes and deletions rewrite parts. */
export const MAX_COMMAND_SECONDS = 3600;
/** What one question may take of the memory of the engine. */
export const MAX_READ_BYTES = 2_000_000_000;

/** A server answers when the result is complete, so that a failure midway is an error and not half an answer. */
const WHOLE: ClickHouseSettings = { wait_end_of_query: 1 };

/** The engine refuses to drop or replace a table or a partition above 50 GB, unless a statement asks for it. */
const DROPS_ANY_SIZE: ClickHouseSettings = { max_table_size_to_drop: '0', max_partition_size_to_drop: '0' };

/** Characters of rows parsed in one turn: a millisecond's work. */
const TURN_CHARACTERS = 1 << 18;

const TIMEOUT_EXCEEDED = 159;

/** Writes rows as text. */
export interface Writer {
  insert(insertion: Insertion): Promise<void>;
  close(): Promise<void>;
}

export interface Insertion extends EncodedRows {
  table: string;
  /** Of this insert. */
  settings: ClickHouseSettings;
}

/** Sends rows as any client does. */
export function createClientWriter(client: ClickHouseClient): Writer {
  return {
    async insert({ table, columns, text, settings }) {
      await client.insert({
        table,
        columns: columns as [string, ...string[]],
        values: Readable.from([text], { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings: settings,
      });
    },
    close: () => client.close(),
  };
}

/** Clients by use. A chdb connection runs one statement at a time, so each use has its own. */
export interface Clients {
  readers: readonly ClickHouseClient[];
  /** For inserts, which must never wait behind a question. */
  writer: Writer;
  /** For schema changes and deletions, which may take minutes. */
  commander: ClickHouseClient;
  /** Questions a reader is asked at once. Default: one. */
  slotsEach?: number;
  /** Bytes of memory a question may take; from half of them on it groups on the disk. Default: `MAX_READ_BYTES`. */
  readBytes?: number;
  /** Beside those every statement has. Default: none. */
  also?: ClickHouseSettings;
}

export function createClickHouseEngine({
  readers,
  writer,
  commander,
  slotsEach = 1,
  readBytes = MAX_READ_BYTES,
  also,
}: Clients): Omit<Engine, 'away'> {
  const running = new Set<Promise<unknown>>();
  const slots = createFairSemaphore({ slots: readers.length * slotsEach });

  async function tracked<T>(work: () => Promise<T>): Promise<T> {
    const promise = work();
    running.add(promise);
    try {
      return await promise;
    } catch (error) {
      throw named(error);
    } finally {
      running.delete(promise);
    }
  }

  return {
    rows<T extends object = Row>(sql: string, params?: Record<string, unknown>, how: HowToAsk = {}) {
      const { maxSeconds = MAX_READ_SECONDS, background } = how;
      const ask = async (client: ClickHouseClient) => {
        const result = await client.query({
          query: sql,
          format: 'JSONEachRow',
          query_params: params,
          clickhouse_settings: { ...settings({ seconds: maxSeconds, bytes: readBytes }), ...also },
        });
        return await inTurns<T>(result.stream<T>());
      };
      // Connections of readers time out after the seconds of a list, and no list may wait behind this query.
      if (maxSeconds > MAX_READ_SECONDS) return tracked(() => ask(commander));
      const site = siteOf(params);
      return tracked(() => slots.run((slot) => ask(readers[slot % readers.length]!), { site, background }));
    },

    lines(sql, params, { format = 'JSONEachRow', maxSeconds = MAX_READ_SECONDS } = {}) {
      const ask = async (client: ClickHouseClient) => {
        const { stream } = await client.exec({
          query: `${sql} FORMAT ${format}`,
          query_params: params,
          clickhouse_settings: {
            ...settings({ seconds: maxSeconds, bytes: readBytes, formatInParallel: true }),
            ...WHOLE,
            ...also,
          },
        });
        return await bytesOf(stream as AsyncIterable<Buffer<ArrayBuffer>>);
      };
      if (maxSeconds > MAX_READ_SECONDS) return tracked(() => ask(commander));
      const site = siteOf(params);
      return tracked(() => slots.run((slot) => ask(readers[slot % readers.length]!), { site, background: true }));
    },

    insert(table, rows, token = '', { grouped = false } = {}) {
      const encoded = 'text' in rows ? rows : encode(rows);
      if (encoded.text.length === 0) return Promise.resolve();
      const merging = { optimize_on_insert: grouped ? 0 : 1 } as const;
      const insertSettings = { ...settings({ seconds: MAX_WRITE_SECONDS, token }), ...merging, ...also };
      return tracked(() => writer.insert({ table, ...encoded, settings: insertSettings }));
    },

    command(sql, params) {
      return tracked(async () => {
        await commander.command({
          query: sql,
          query_params: params,
          clickhouse_settings: { ...settings({ seconds: MAX_COMMAND_SECONDS }), ...DROPS_ANY_SIZE, ...also },
        });
      });
    },

    async ping() {
      const answer = await tracked(() => slots.run((slot) => readers[slot % readers.length]!.ping({ select: true })));
      if (!answer.success) throw named(answer.error);
    },

    async close() {
      await Promise.allSettled([...running]);
      await Promise.all([...new Set([...readers, writer, commander])].map((client) => client.close()));
    },
  };
}

/** Name of the bound parameter that holds the site of a query, wherever there is one. */
const siteOf = (params?: Record<string, unknown>): string | undefined =>
  typeof params?.site === 'string' ? params.site : undefined;

/** Parses the rows of an answer. Where they are long, requests that wait have their turn in between. */
async function inTurns<T>(answer: AsyncIterable<readonly { text: string; json(): T }[]>): Promise<T[]> {
  const rows: T[] = [];
  let parsed = 0;
  for await (const chunk of answer) {
    for (const row of chunk) {
      parsed += row.text.length;
      if (parsed > TURN_CHARACTERS) {
        await setImmediate();
        parsed = 0;
      }
      rows.push(row.json());
    }
  }
  return rows;
}

/** All bytes of an answer, in memory of their own: they may be handed to another thread. */
async function bytesOf(answer: AsyncIterable<Buffer<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const [first] = chunks;
  // The embedded engine answers in one chunk of its own: no copy is needed.
  if (chunks.length === 1 && first!.length === first!.buffer.byteLength) return new Uint8Array(first!.buffer);
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function encode(rows: readonly object[]): EncodedRows {
  const columns = Object.keys(rows[0] ?? {});
  // Half a surrogate pair becomes U+FFFD on its way to UTF-8.
  return { columns, text: Buffer.from(toTabSeparated(rows, columns)) };
}

/** The same error, or one that says that asking again later will help. */
function named(error: unknown): unknown {
  if (engineCode(error) === TIMEOUT_EXCEEDED) {
    return new QueryTimeoutError('The question took too long. Ask about less, or try again later.', { cause: error });
  }
  if (isOutOfMemory(error)) {
    return new StoreUnavailableError('The database has not enough memory now. Ask about less, or try again later.', {
      cause: error,
    });
  }
  if (isDiskFull(error)) return new DiskFullError(error);
  if (isUnreachable(error)) return new StoreUnavailableError('The database does not answer.', { cause: error });
  if (isPassing(error)) return new StoreUnavailableError('A part of the database is away.', { cause: error });
  return error;
}

/**
 * All of them, every time: the embedded engine runs `SET` before a statement, and what is set stays set for the next
 * one on that connection. A deduplication token that is not reset would silently drop the rows of another insert.
 */
function settings(limits: {
  seconds: number;
  bytes?: number;
  token?: string;
  formatInParallel?: boolean;
}): ClickHouseSettings {
  return {
    max_execution_time: limits.seconds,
    max_memory_usage: String(limits.bytes ?? 0),
    max_bytes_before_external_group_by: String(Math.floor((limits.bytes ?? 0) / 2)),
    output_format_json_quote_64bit_integers: 0,
    // It starts threads: 0.4 ms of processor time in each statement, and few statements have many rows.
    output_format_parallel_formatting: limits.formatInParallel ? 1 : 0,
    // The optimizer derives further comparisons from chains of them (a < b AND b < 5), which ours do not have: a fifth
    // of the time of /lists over few rows.
    optimize_and_compare_chain: 0,
    insert_deduplication_token: limits.token ?? '',
    deduplicate_blocks_in_dependent_materialized_views: 1,
    mutations_sync: '2',
  };
}
