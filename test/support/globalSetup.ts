// Runs once before and after all test files, in the test runner's own process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_FOLDER } from './emptyDatabase.ts';

/** Gives the processes of the test files a folder for what they share, through the environment they inherit. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-run-'));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
