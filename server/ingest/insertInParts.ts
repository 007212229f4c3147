// A line the engine will never take must not keep out the thousands beside it: what is refused as a whole is tried again in halves, down
// to the lines that are to blame. Each half has a token made from that of the whole: after a crash it all begins anew, and nothing
// is there twice.
import type { EncodedRows } from '../storage/engine.ts';
import { UnwritableRowsError } from './unwritable.ts';

/** Refusals of one insert; where there are more, what is left of it is to blame as it stands. */
const MOST_REFUSALS = 200;
const NEWLINE = 0x0a;

/** Lines the engine did not take. */
export interface Refused extends EncodedRows {
  events: number;
  cause: unknown;
}

/**
 * @param insert Nothing is changed when it rejects with `UnwritableRowsError`.
 * @returns undefined when everything was taken.
 * @throws whatever else `insert` rejects with; then it may be called again with the same lines and token.
 */
export async function insertInParts(
  { columns, text: whole }: EncodedRows,
  token: string,
  insert: (lines: EncodedRows, token: string) => Promise<void>,
): Promise<Refused | undefined> {
  const refused: Buffer[] = [];
  let refusals = 0;
  let cause: unknown;

  async function tryPart(text: Buffer, name: string): Promise<void> {
    try {
      return await insert({ columns, text }, name);
    } catch (error) {
      if (!(error instanceof UnwritableRowsError)) throw error;
      cause ??= error;
    }
    refusals += 1;
    const middle = text.indexOf(NEWLINE, Math.floor(text.length / 2)) + 1;
    // The last line may be longer than all before it.
    const cut = middle < text.length ? middle : text.lastIndexOf(NEWLINE, text.length - 2) + 1;
    if (cut === 0 || refusals > MOST_REFUSALS) {
      refused.push(text);
      return;
    }
    await tryPart(text.subarray(0, cut), `${name}.0`);
    await tryPart(text.subarray(cut), `${name}.1`);
  }

  await tryPart(whole, token);
  if (refused.length === 0) return undefined;
  const text = Buffer.concat(refused);
  return { columns, text, events: text.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0), cause };
}
