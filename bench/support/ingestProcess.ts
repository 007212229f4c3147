// Starts the server of support/ingestServer.ts in a process of its own, built as operators run it.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { Kind, State } from './ingestServer.ts';

const SERVER = fileURLToPath(new URL('./ingestServer.ts', import.meta.url));
/** Where Node finds the packages that the server imports. */
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/afterword/bench', import.meta.url));
/** Of Node, as the command is started with; without the loader that reads this file. */
const FLAGS = process.execArgv.filter((flag) => /^--max/.test(flag));

export interface IngestProcess {
  url: string;
  state(): Promise<State>;
  /** @returns Events in the tables. */
  stop(): Promise<number>;
  /** Kills it where it still runs, and removes its folder. */
  close(): void;
}

/** The loader of TypeScript defines the name of every function each time one is made: the server is built without it. */
export async function buildServer(): Promise<void> {
  const output = { entryFileNames: '[name].mjs' };
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: SERVER, outDir: BUILT, target: 'node20', minify: false, rolldownOptions: { output } },
  });
}

export async function startIngest(kind: Kind): Promise<IngestProcess> {
  const dir = mkdtempSync(join(tmpdir(), 'afterword-bench-'));
  const server = fork(join(BUILT, 'ingestServer.mjs'), [kind, dir], { execArgv: FLAGS });
  const { port } = (await messageOf(server)) as { port: number };
  return {
    url: `http://127.0.0.1:${port}/events`,
    async state() {
      server.send('state');
      return (await messageOf(server)) as State;
    },
    async stop() {
      server.send('stop');
      const { stored = 0 } = (await messageOf(server)) as { stored?: number };
      return stored;
    },
    close() {
      server.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function messageOf(server: ChildProcess): Promise<unknown> {
  const [message] = await once(server, 'message');
  return message;
}

/** Binds this process and those it starts. @returns Where they run, in words. */
export async function onTwoCores(): Promise<string> {
  try {
    await promisify(execFile)('taskset', ['-apc', '0,1', String(process.pid)]);
    return 'on two cores';
  } catch (error) {
    console.warn(`Not bound to two cores: ${String(error)}`);
    return `on ${availableParallelism()} cores`;
  }
}
