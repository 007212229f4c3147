// A line the engine will never take must not keep out the thousands beside it: what is refused as a whole is tried again in halves, down
// to the lines that are to blame, and these once more after a pause. Each half has a token made from that of the whole: after a crash it
// all begins anew, and nothing is there twice.
import type { EncodedRows } from '../../storage/engine.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { UnwritableRowsError } from './unwritable.ts';

const NEWLINE = 0x0a;

/** Lines the engine did not take. */
export interface Refused extends EncodedRows {
  events: number;
  cause: unknown;
}

export interface InParts {
  /** Begins the tokens of the halves; default: the token of the whole. */
  partsToken?: string;
  /** Resolves when refused lines may be tried for the second time. */
  pause: () => Promise<unknown>;
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
  { partsToken = token, pause }: InParts,
): Promise<Refused | undefined> {
  const parts: { text: Buffer; name: string }[] = [];
  let refusals = 0;
  let cause: unknown;

  async function isRefused(text: Buffer, name: string): Promise<boolean> {
    try {
      await insert({ columns, text }, name);
      return false;
    } catch (error) {
      if (!(error instanceof UnwritableRowsError)) throw error;
      cause ??= error;
      return true;
    }
  }

  async function tryPart(text: Buffer, name: string, halves: string): Promise<void> {
    if (!(await isRefused(text, name))) return;
    refusals += 1;
    const middle = text.indexOf(NEWLINE, Math.floor(text.length / 2)) + 1;
    // The last line may be longer than all before it.
    const cut = middle < text.length ? middle : text.lastIndexOf(NEWLINE, text.length - 2) + 1;
    if (cut === 0 || refusals > INGEST_LIMITS.refusals) {
      parts.push({ text, name });
      return;
    }
    await tryPart(text.subarray(0, cut), `${halves}.0`, `${halves}.0`);
    await tryPart(text.subarray(cut), `${halves}.1`, `${halves}.1`);
  }

  await tryPart(whole, token, partsToken);
  if (parts.length === 0) return undefined;
  await pause();
  const refused: Buffer[] = [];
  for (const { text, name } of parts) if (await isRefused(text, name)) refused.push(text);
  if (refused.length === 0) return undefined;
  const text = Buffer.concat(refused);
  return { columns, text, events: text.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0), cause };
}
