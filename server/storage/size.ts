// How much the database holds, for monitoring: parts that pile up are the first sign of too many small writes.
import type { Engine } from './engine.ts';
import type { StoreSize } from './store.ts';

const PARTS = `SELECT count() AS parts, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
FROM system.parts WHERE active AND database = currentDatabase()`;

/** Of a cluster: of the server that answers. */
export async function readSize(engine: Engine): Promise<StoreSize> {
  const [row] = await engine.rows<StoreSize>(PARTS);
  return { parts: Number(row?.parts ?? 0), rows: Number(row?.rows ?? 0), bytes: Number(row?.bytes ?? 0) };
}
