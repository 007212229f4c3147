// A Chromium without a driver. Tools that drive one turn off what readers have: pages that are kept when they are left,
// and pages that are made ready before they are asked for. Its pages act by themselves, and are known by what they
// send.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Candidate, candidates, definedEnv, LAUNCH_ARGS } from './browser.ts';

export interface Undriven {
  close(): Promise<void>;
}

/**
 * Opens a page, with a profile of its own.
 * @throws {Error} when no browser starts.
 */
export async function openUndriven(url: string): Promise<Undriven> {
  const { path, env } = await theOneThatStarts();
  const profile = await mkdtemp(join(tmpdir(), 'afterword-undriven-'));
  const child = spawn(path, ['--headless', ...LAUNCH_ARGS, '--no-first-run', `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    // A group of its own, so that its helpers end with it.
    detached: true,
    env: { ...definedEnv(), ...env },
  });
  const gone = once(child, 'exit');
  return {
    async close() {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
      await gone;
      // Helpers may be at it for a moment more.
      await rm(profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
    },
  };
}

let found: Candidate | undefined;

/** One that lacks a library ends before it can say its version. */
async function theOneThatStarts(): Promise<Candidate> {
  if (found) return found;
  const failures: string[] = [];
  for await (const candidate of candidates()) {
    const env = { ...definedEnv(), ...candidate.env };
    try {
      await promisify(execFile)(candidate.path, ['--no-sandbox', '--version'], { env });
      found = candidate;
      return candidate;
    } catch (error) {
      failures.push(`${candidate.path}: ${String(error)}`);
    }
  }
  throw new Error(`No Chromium could be started without a driver.\n${failures.join('\n')}`);
}
