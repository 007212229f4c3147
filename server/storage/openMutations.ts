// Statements that remove or change rows, and are not done: the engine goes through the parts of a table by itself, some
// of them after the statement was answered, or after a start.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, serversOf } from './engine.ts';
import { LOCAL } from './schema/table.ts';

/** Pauses between two looks: the first, and the longest. */
export const LOOK_MS = [10, 1_000] as const;

/**
 * Why each of them fails; "": it does not.
 * @param table Default: of all tables.
 */
export async function openMutations(engine: Engine, table?: string): Promise<string[]> {
  const of = table === undefined ? '' : `AND table IN ('${table}', '${table}${LOCAL}')`;
  const sql = `SELECT latest_fail_reason AS failure FROM system.mutations
    WHERE database = currentDatabase() ${of} AND NOT is_done`;
  const found = await Promise.all(serversOf(engine).map((server) => server.rows<{ failure: string }>(sql)));
  return found.flat().map(({ failure }) => failure);
}

/** Whether rows are being removed or changed: their number is another one soon. */
export const isChanging = async (engine: Engine): Promise<boolean> => (await openMutations(engine)).includes('');

/**
 * Waits until nothing is being removed or changed.
 * @param patience Milliseconds at most: on a full disk it waits for room.
 * @param signal Ends the wait with an error. Default: nothing does.
 * @returns What is left of the patience.
 */
export async function changesEnded(engine: Engine, patience: number, signal?: AbortSignal): Promise<number> {
  let left = patience;
  for (
    let pause: number = LOOK_MS[0];
    left > 0 && (await isChanging(engine));
    pause = Math.min(2 * pause, LOOK_MS[1])
  ) {
    await sleep(pause, undefined, { signal });
    left -= pause;
  }
  return left;
}

/**
 * Waits before a copy: old rows that are being removed would be in it and, soon, not in its source any more. None
 * begins beside a move, so it ends, however long it takes.
 * @param of.waiting Called once, with a note for its progress, where there are such rows.
 * @param of.signal Ends the wait with an error. Default: nothing does.
 */
export async function removalsEnded(
  engine: Engine,
  { waiting, signal }: { waiting: (note: string) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  if (await isChanging(engine)) waiting('waiting for rows that are being removed');
  await changesEnded(engine, Number.POSITIVE_INFINITY, signal);
}
