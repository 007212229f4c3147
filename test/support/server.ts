// A real server for a test: the built command on a free port and a data folder of its own.
//
//   const server = await startServer();
//   const site = await addSite(server, 'example.com', '--timezone', 'Europe/Madrid');
//   const body = await getJson(server, '/v2/top/posts', { apikey: site.apikey });
//   await server.stop();                       exit code; or server.kill(), as a power cut would
import { join } from 'node:path';
import { startCommand } from './command.ts';
import { runInProcess } from './commandInProcess.ts';
import { makeDataDir } from './dataDir.ts';
import { copyEmptyDatabase } from './emptyDatabase.ts';
import { until } from './until.ts';

export interface TestServer {
  url: string;
  dataDir: string;
  pid: number;
  /** Everything it has logged, one object a line. */
  log(): Record<string, unknown>[];
  /** SIGTERM, or another signal to stop, then its exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<number>;
  /** SIGKILL: nothing is finished, nothing is flushed. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** Default: a fresh temporary folder with an empty database in it. One that is empty itself is a server's first start. */
  dataDir?: string;
  /** More flags of `serve`. */
  flags?: readonly string[];
  env?: Record<string, string>;
  /** Words before the command: a program that starts it somewhere else. */
  within?: readonly string[];
}

/** Resolves when the server says that it serves. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { flags = [], env, within } = options;
  const dataDir = options.dataDir ?? (await makeServedDir(flags));
  const port = flags.includes('--port') ? [] : ['--port', '0'];
  const words = ['serve', ...port, '--data', dataDir, '--log-format', 'json', ...flags];
  const { child, output, ended } = await startCommand(words, env, within);
  const log = () => parseLines(output.stdout);
  const start = await until('the server serves', () => {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode}: ${output.stdout}${output.stderr}`);
    return log().find((line) => line.msg === 'serving');
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`The server did not start; it said: ${output.stdout}${output.stderr}`, { cause: error });
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    url: String(start.address),
    dataDir,
    pid: child.pid!,
    log,
    stop: (signal = 'SIGTERM') => end(signal),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

async function makeServedDir(flags: readonly string[]): Promise<string> {
  const dataDir = makeDataDir();
  if (!flags.includes('--clickhouse-url')) await copyEmptyDatabase(join(dataDir, 'engine'));
  return dataDir;
}

/** Whole lines only: the last one may still be on its way. */
function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export interface TestSite {
  apikey: string;
  secret: string;
  write_secret: string;
}

/** Makes a site by the command line, as an operator does, while the server runs. */
export async function addSite(server: TestServer, id: string, ...flags: string[]): Promise<TestSite> {
  const { code, stdout, stderr } = await runInProcess([
    'site',
    'add',
    id,
    '--json',
    '--data',
    server.dataDir,
    ...flags,
  ]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Resolves when all acknowledged events are in the tables, which follow the acknowledgements. */
export async function allStored(server: { url: string }): Promise<void> {
  await until('all events are in the tables', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return ['afterword_ingest_waiting_events', 'afterword_spool_groups'].every((name) =>
      new RegExp(`^${name} 0$`, 'm').test(metrics),
    );
  });
}
