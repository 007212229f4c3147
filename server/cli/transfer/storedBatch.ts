// The last batch of an import that is stored, kept beside the import's record by who stores it. A command that was
// killed before it noted the answer sends that batch again, perhaps much later; the tables recognise the tokens of
// their last 10,000 inserts alone.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../durableFile.ts';
import { undefinedIfMissing } from '../../errors.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { importsIn } from './importRecords.ts';

interface StoredBatch {
  token: string;
  /** What became of its lines. */
  outcomes: string[];
}

/** @param id Of the import. */
export const tokenOf = (id: string, start: number): string => `import-${id}-${start}`;

/** @param token Of any batch of the import: without its start, it names the import. */
const fileOf = (data: string, token: string): string => join(importsIn(data), `${token.replace(/-\d+$/, '')}.stored`);

export interface StoredBatches {
  /**
   * Stores a batch, unless it is the last one of its import that is stored.
   * @param store What becomes of its lines.
   * @returns The same; of a batch that is stored already, as it was.
   */
  once(token: string, store: () => Promise<string[]>): Promise<string[]>;
  /** Resolves when each batch that is in the tables by now is noted, or could not be. */
  noted(): Promise<void>;
}

/**
 * @param data The data folder.
 * @param write Default: durably.
 */
export function createStoredBatches(data: string, write = writeDurably): StoredBatches {
  const noting = new Set<Promise<void>>();

  async function keep(batch: StoredBatch): Promise<void> {
    await mkdir(importsIn(data), { recursive: true, mode: 0o700 });
    await write(fileOf(data, batch.token), [Buffer.from(JSON.stringify(batch))]);
  }

  return {
    async once(token, store) {
      const before = await findStored(data, token);
      if (before !== undefined) return before;
      const outcomes = await store();
      // Where nothing was stored, the same file is checked again once the cause is repaired.
      if (!outcomes.includes('stored')) return outcomes;
      const noted = keep({ token, outcomes });
      noting.add(noted);
      await noted.finally(() => noting.delete(noted));
      return outcomes;
    },
    async noted() {
      await Promise.allSettled(noting);
    },
  };
}

async function findStored(data: string, token: string): Promise<string[] | undefined> {
  const text = await readFile(fileOf(data, token), 'utf8').catch(undefinedIfMissing);
  const last = text === undefined ? undefined : (parseJson(text) as StoredBatch | undefined);
  return last?.token === token ? last.outcomes : undefined;
}

/** To be called when an import is over: its record says so. */
export const forgetStored = (data: string, id: string): Promise<void> =>
  rm(fileOf(data, tokenOf(id, 0)), { force: true });
