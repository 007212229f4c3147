// A command line beside a running server, by the program's own code in the process of the tests: to start a process for it takes a fifth
// of a second of the processor. Each command runs as a process, by command.ts, in the tests that are about it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { findInstallation } from '../../server/cli/installation.ts';
import { createProgram, runCommandLine } from '../../server/cli/program.ts';
import { root } from './build.ts';

const STREAMS = ['stdout', 'stderr'] as const;
type Printed = Record<(typeof STREAMS)[number], string>;

/** What each of the commands that run at the same time has printed. */
const printed = new AsyncLocalStorage<Printed>();
for (const name of STREAMS) {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = ((...args: unknown[]) => {
    const output = printed.getStore();
    if (output === undefined) return write(...args);
    output[name] += String(args[0]);
    const done = args.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  }) as typeof stream.write;
}

const installation = findInstallation(pathToFileURL(join(root, 'server/main.ts')).href);

/** A program changes these for its own process, which ends with it. */
const before = { commands: 0, umask: 0 };

/**
 * Runs a command to its end.
 * @param args A word of `afterword` and its own, with `--data` of a server that runs: without one it would open the engine, of which a
 *   process has one.
 */
export async function runInProcess(args: readonly string[]): Promise<Printed & { code: number }> {
  const output: Printed = { stdout: '', stderr: '' };
  if (before.commands++ === 0) before.umask = process.umask();
  const running = printed.run(output, () => runCommandLine(args, createProgram(installation)));
  const listeners = STREAMS.map(
    (name) => [process[name], process[name].listeners('error').at(-1) as () => void] as const,
  );
  try {
    return { code: await running, ...output };
  } finally {
    for (const [stream, listener] of listeners) stream.off('error', listener);
    if (--before.commands === 0) process.umask(before.umask);
  }
}

/** The same for a command that does what it was asked: what it printed. */
export async function doneInProcess(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}
