// Data folders of a test: each its own, gone at the end.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A fresh folder, removed by {@link removeDataDirs}. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-test-'));
  made.push(folder);
  return folder;
}

/** For afterAll: removes what {@link makeDataDir} made. */
export async function removeDataDirs(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
}
