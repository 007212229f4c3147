// The built `afterword` command, run as an operator runs it.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { command, demoCommand, ensureBuilt } from './build.ts';

const running = new Set<ChildProcess>();
const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};
process.once('exit', endAll);
// A run that is broken off ends the tests' own processes by a signal.
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    endAll();
    process.kill(process.pid, signal);
  });
}

export interface RunningCommand {
  child: ChildProcess;
  /** What it has printed so far. */
  output: { stdout: string; stderr: string };
  /** Its exit code, as a shell reports it: 137 after SIGKILL. */
  ended: Promise<number>;
}

/**
 * Starts a command: a word of `afterword`, or `afterword-demo` with its own. It dies with the test at the latest.
 * @param within Words that go before it: a program that starts it somewhere else.
 */
export async function startCommand(
  args: readonly string[],
  env?: Record<string, string>,
  within: readonly string[] = [],
): Promise<RunningCommand> {
  await ensureBuilt();
  const called = args[0] === 'afterword-demo' ? [demoCommand, ...args.slice(1)] : [command, ...args];
  const [program, ...words] = [...within, process.execPath, ...called];
  const child = spawn(program!, words, { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<number>((done) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      done(code ?? 128 + constants.signals[signal!]);
    });
  });
  return { child, output, ended };
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], env?: Record<string, string>, within?: readonly string[]) {
  const { output, ended } = await startCommand(args, env, within);
  return { code: await ended, ...output };
}

/** The environment of the test without settings of a developer's own. */
function cleanEnv(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AFTERWORD_'));
  return { ...Object.fromEntries(inherited), ...env };
}
