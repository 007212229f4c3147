// An import that is caught at work: its folder says how far it is, sooner than the server could be asked.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { until } from '../support/until.ts';

export interface RunningImport extends RunningCommand {
  /** The file that keeps other processes from bringing the same. */
  lock: string;
  /** Resolves when the first of its lines are stored, and others are still to come. */
  hasBegun(): Promise<void>;
}

/** Resolves when it is at it. */
export async function startImport(dataDir: string, ...words: string[]): Promise<RunningImport> {
  const folder = join(dataDir, 'imports');
  const locks = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.lock')) : []);
  // One that was killed leaves its own.
  const left = new Set(locks());
  const running = await startCommand(['import', ...words, '--data', dataDir]);
  const name = await until('the import is at it', () => locks().find((lock) => !left.has(lock)));
  const ledger = join(folder, name.replace(/\.lock$/, ''));
  return {
    ...running,
    lock: join(folder, name),
    hasBegun: async () => {
      await until('something is stored', () => existsSync(ledger));
    },
  };
}
