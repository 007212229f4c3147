// A directory of its own and an engine in it, for tests of storage: one open at a time in a process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { EngineOptions } from '../../server/storage/connect.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';

export const silent = pino({ level: 'silent' });

export interface Scratch {
  dir: string;
  engine: Extract<EngineOptions, { kind: 'embedded' }>;
  remove(): void;
}

export function scratch(): Scratch {
  const dir = mkdtempSync(join(tmpdir(), 'afterword-'));
  return {
    dir,
    engine: { kind: 'embedded', path: join(dir, 'engine') },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** With an empty database at the current schema in it, for tests of what is above storage. */
export async function migratedScratch(): Promise<Scratch> {
  const place = scratch();
  await copyEmptyDatabase(join(place.dir, 'engine'));
  return place;
}
