// Inserts rows, those of each table on their own, although the engine refuses some of them: what is refused as a whole
// is inserted in halves, down to the refused rows, and these once more after a pause. Each half has a token derived
// from that of the whole, so that after a crash the same inserts are repeated, and nothing is stored twice.
import type { EncodedRows } from '../../storage/engine.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { byTable } from './byTable.ts';
import { UnwritableRowsError } from './unwritable.ts';

const NEWLINE = 0x0a;

/** Rows that the engine refused. */
export interface Refused extends EncodedRows {
  events: number;
  cause: unknown;
}

export interface InParts {
  /** Prefix of the tokens of the halves; default: the token of the whole. */
  partsToken?: string;
  /** Resolves when refused rows may be inserted for the second time. */
  pause: () => Promise<unknown>;
}

/**
 * @param insert Nothing is changed when it rejects with `UnwritableRowsError`.
 * @returns undefined when all rows were taken.
 * @throws any other error of `insert`; it may be called again with the same rows and token then.
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
    // The last row may be longer than all others together.
    const cut = middle < text.length ? middle : text.lastIndexOf(NEWLINE, text.length - 2) + 1;
    if (cut === 0 || refusals > INGEST_LIMITS.refusals) {
      parts.push({ text, name });
      return;
    }
    await tryPart(text.subarray(0, cut), `${halves}.0`, `${halves}.0`);
    await tryPart(text.subarray(cut), `${halves}.1`, `${halves}.1`);
  }

  for (const { lines, suffix } of byTable({ columns, text: whole }))
    await tryPart(lines.text, token + suffix, partsToken + suffix);
  if (parts.length === 0) return undefined;
  await pause();
  const refused: Buffer[] = [];
  for (const { text, name } of parts) if (await isRefused(text, name)) refused.push(text);
  if (refused.length === 0) return undefined;
  const text = Buffer.concat(refused);
  return { columns, text, events: text.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0), cause };
}
