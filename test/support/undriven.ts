// A Chromium that nobody drives. Tools that drive one turn off what readers have: pages that are kept when they are left, and
// pages that are made ready before they are asked for. Its pages act by themselves, and are known by what they send.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candidates, definedEnv, LAUNCH_ARGS } from './browser.ts';

export interface Undriven {
  close(): Promise<void>;
}

/** How long a browser may take to show that it cannot start. */
const START_MS = 1_000;

/**
 * Opens a page, with a profile of its own.
 * @throws {Error} when no browser starts.
 */
export async function openUndriven(url: string): Promise<Undriven> {
  const profile = await mkdtemp(join(tmpdir(), 'afterword-undriven-'));
  for await (const { path, env } of candidates()) {
    const child = spawn(path, ['--headless', ...LAUNCH_ARGS, '--no-first-run', `--user-data-dir=${profile}`, url], {
      stdio: 'ignore',
      // A group of its own, so that its helpers end with it.
      detached: true,
      env: { ...definedEnv(), ...env },
    });
    if (await runs(child)) {
      return {
        async close() {
          const gone = new Promise((resolve) => child.once('exit', resolve));
          process.kill(-child.pid!, 'SIGKILL');
          await gone;
          await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
        },
      };
    }
  }
  await rm(profile, { recursive: true, force: true });
  throw new Error('No Chromium could be started without a driver.');
}

/** A browser that lacks a library ends at once. */
const runs = (child: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), START_MS);
    for (const end of ['exit', 'error']) {
      child.once(end, () => {
        clearTimeout(timer);
        resolve(false);
      });
    }
  });
