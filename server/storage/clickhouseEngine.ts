// The engine's one set of manners, over any ClickHouse client: settings, limits, encoding, errors, an orderly end.
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { Engine, Row } from './engine.ts';
import { engineCode, QueryTimeoutError } from './errors.ts';

export const MAX_READ_SECONDS = 15;
export const MAX_WRITE_SECONDS = 30;
/** Schema changes and deletions rewrite parts. */
export const MAX_COMMAND_SECONDS = 3600;
/** The embedded engine shares our memory: one careless question must not end the process. */
const MAX_READ_BYTES = 2_000_000_000;

const TIMEOUT_EXCEEDED = 159;

/** Clients by use. A chdb connection runs one statement at a time, so each use has its own. */
export interface Clients {
  readers: readonly ClickHouseClient[];
  /** For inserts, which must never wait behind a question. */
  writer: ClickHouseClient;
  /** For schema changes and deletions, which may take minutes. */
  commander: ClickHouseClient;
  /** Beside those every statement has. Default: none. */
  also?: ClickHouseSettings;
}

export function createClickHouseEngine({ readers, writer, commander, also }: Clients): Engine {
  const running = new Set<Promise<unknown>>();
  const load = new Map(readers.map((reader) => [reader, 0]));

  async function tracked<T>(client: ClickHouseClient, work: () => Promise<T>): Promise<T> {
    const before = load.get(client);
    if (before !== undefined) load.set(client, before + 1);
    const promise = work();
    running.add(promise);
    try {
      return await promise;
    } catch (error) {
      if (engineCode(error) === TIMEOUT_EXCEEDED) {
        throw new QueryTimeoutError('The engine stopped a statement that took too long.', { cause: error });
      }
      throw error;
    } finally {
      running.delete(promise);
      if (before !== undefined) load.set(client, load.get(client)! - 1);
    }
  }

  const leastBusy = () => readers.reduce((best, reader) => (load.get(reader)! < load.get(best)! ? reader : best));

  return {
    rows<T extends object = Row>(sql: string, params?: Record<string, unknown>, maxSeconds = MAX_READ_SECONDS) {
      const client = leastBusy();
      return tracked(client, async () => {
        const result = await client.query({
          query: sql,
          format: 'JSONEachRow',
          query_params: params,
          clickhouse_settings: { ...settings({ seconds: maxSeconds, bytes: MAX_READ_BYTES }), ...also },
        });
        return await result.json<T>();
      });
    },

    insert(table, rows, token = '') {
      const [first] = rows;
      if (first === undefined) return Promise.resolve();
      const columns = Object.keys(first);
      return tracked(writer, async () => {
        await writer.insert({
          table,
          // Names once and not in every row: half the bytes, half the reading.
          columns: columns as [string, ...string[]],
          values: rows.map((row) => columns.map((column) => (row as Row)[column])),
          format: 'JSONCompactEachRow',
          clickhouse_settings: { ...settings({ seconds: MAX_WRITE_SECONDS, token }), ...also },
        });
      });
    },

    command(sql, params) {
      return tracked(commander, async () => {
        await commander.command({
          query: sql,
          query_params: params,
          clickhouse_settings: { ...settings({ seconds: MAX_COMMAND_SECONDS }), ...also },
        });
      });
    },

    async ping() {
      const client = leastBusy();
      const answer = await tracked(client, () => client.ping({ select: true }));
      if (!answer.success) throw answer.error;
    },

    async close() {
      await Promise.allSettled([...running]);
      await Promise.all([...new Set([...readers, writer, commander])].map((client) => client.close()));
    },
  };
}

/**
 * All of them, every time: the embedded engine runs `SET` before a statement, and what is set stays set for the next
 * one on that connection. A forgotten deduplication token would silently swallow somebody else's rows.
 */
function settings(of: { seconds: number; bytes?: number; token?: string }): ClickHouseSettings {
  return {
    max_execution_time: of.seconds,
    max_memory_usage: String(of.bytes ?? 0),
    max_bytes_before_external_group_by: String(Math.floor((of.bytes ?? 0) / 2)),
    output_format_json_quote_64bit_integers: 0,
    insert_deduplication_token: of.token ?? '',
    deduplicate_blocks_in_dependent_materialized_views: 1,
    mutations_sync: '2',
  };
}

/**
 * JSON the engine accepts whatever a visitor sent: half a surrogate pair, which it refuses together with the whole
 * batch, becomes U+FFFD. `JSON.stringify` writes such halves, and nothing else, as `\udXXX`.
 */
export function stringifyRow(row: unknown): string {
  const text = JSON.stringify(row);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(row, (_key, value) => (typeof value === 'string' ? Buffer.from(value).toString() : value));
}
