// What of the demo is already in the data folder: kept beside the data, so that a later start adds only what is missing.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../server/durableFile.ts';
import { hasCode } from '../server/errors.ts';

const span = z.object({ from: z.number(), to: z.number() });

const ledgerShape = z.object({
  /** The site's own birthday: another one means that the site was removed and made again, and the data is gone. */
  siteMade: z.number(),
  seed: z.string(),
  viewsPerDay: z.number(),
  /** First start; articles are dated and days are counted from it. */
  anchor: z.number(),
  /** Articles published up to then are stored. */
  postsUntil: z.number(),
  /** Events up to then are stored. */
  eventsUntil: z.number(),
  /** A span whose events were being stored: begun again with the same bounds, it is counted once. */
  pending: span.optional(),
});

/** Times are epoch milliseconds. */
export type Ledger = z.infer<typeof ledgerShape>;

/**
 * @returns undefined when nothing was written yet.
 * @throws when the file is there but cannot be understood.
 */
export async function readLedger(path: string): Promise<Ledger | undefined> {
  try {
    return ledgerShape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`The demo's notes at ${path} cannot be read; remove the file to start over.`, { cause: error });
  }
}

/** Whole or not at all: a crash, or a power cut, leaves the old file. */
export async function writeLedger(path: string, ledger: Ledger): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeDurably(path, [Buffer.from(`${JSON.stringify(ledger, null, 2)}\n`)]);
}
