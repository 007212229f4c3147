// A clock of a server that a test can step: see steppedClock.mjs.
//
//   const clock = createClock(folder);
//   await startServer({ env: clock.env });
//   await clock.set(5 * 3_600_000);
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Twice the interval at which processes read it. */
const SEEN_MS = 100;
/** Fixed, so that one write replaces the value. */
const WIDTH = 16;

export interface SteppedClock {
  /** Environment of the processes that use it. */
  env: Record<string, string>;
  /** Milliseconds ahead of the machine's clock. */
  offset(): number;
  /** Resolves when running processes use the new offset. */
  set(offset: number): Promise<void>;
  /** Closes the file. */
  close(): void;
}

/** @param folder Gets the file with the offset. */
export function createClock(folder: string): SteppedClock {
  const path = join(folder, 'clock');
  const file = openSync(path, 'w');
  const preload = new URL('steppedClock.mjs', import.meta.url).href;
  let current = 0;
  const write = (offset: number) => {
    current = offset;
    writeSync(file, String(offset).padStart(WIDTH), 0);
  };
  write(0);
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, AFTERWORD_TEST_CLOCK: path },
    offset: () => current,
    async set(offset) {
      write(offset);
      await sleep(SEEN_MS);
    },
    close: () => closeSync(file),
  };
}
