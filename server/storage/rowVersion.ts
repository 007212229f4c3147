// Versions of rows in a ReplacingMergeTree whose newest row counts: the time of writing, and later than every row that
// is there. A clock that was set back must not write rows which lose against those of before.
import type { Engine } from './engine.ts';

/**
 * The version of the next row of a key.
 * @param key Columns that name the row, with their values.
 * @param now Epoch milliseconds.
 */
export async function nextVersion(
  engine: Pick<Engine, 'rows'>,
  table: 'sites' | 'partners' | 'exclusions' | 'annotations' | 'frontiers' | 'operator_tokens' | 'post_vectors',
  { key, now }: { key: Record<string, string>; now: number },
): Promise<number> {
  const where = Object.keys(key).map((column) => `${column} = {${column}:String}`);
  const sql = `SELECT max(updated_at) AS last FROM ${table} WHERE ${where.join(' AND ')}`;
  const [row] = await engine.rows<{ last: number }>(sql, key);
  return Math.max(now, (row?.last ?? 0) + 1);
}
