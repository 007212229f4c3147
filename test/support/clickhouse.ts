// A real ClickHouse server for a test, from the engine that is installed anyway: chdb's library can open ClickHouse's own HTTP
// port. It is called on a plain thread of a small Python process, because the call never returns.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { until } from './until.ts';

export interface ClickHouse {
  /** With the database `afterword`, which exists. */
  url: string;
  /** SIGKILL: nothing is finished, nothing is flushed. */
  kill(): Promise<void>;
  /** After a kill: the same data on the same port. */
  startAgain(): Promise<ClickHouse>;
}

/** Ends with the process that started it, however that one ends: its standard input closes. */
const PROGRAM = `
import ctypes, os, sys, threading
def follow():
    sys.stdin.read()
    os._exit(0)
threading.Thread(target=follow, daemon=True).start()
library, port, path = sys.argv[1:4]
statements = '; '.join([
    'CREATE DATABASE IF NOT EXISTS afterword',
    'SYSTEM START LISTEN HTTP',
    'SELECT sleepEachRow(3) FROM numbers(1000000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 900000000 FORMAT Null',
])
words = ['clickhouse', '--multiquery', '--path=' + path, '--query=' + statements, '--', '--http_port=' + port, '--listen_host=127.0.0.1']
argv = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
ctypes.CDLL(library).chdb_query_cmdline(len(words), argv)
`;

/** Whether this machine has what it takes; a test that needs it says so when it is left out. */
export function canRunClickHouse(): boolean {
  return spawnSync('python3', ['-c', 'import ctypes']).status === 0;
}

/**
 * Resolves when it answers.
 * @param path Folder of its data; the same folder again is the same database.
 * @param port Default: a free one.
 */
export async function startClickHouse(path: string, port?: number): Promise<ClickHouse> {
  const at = port ?? (await freePort());
  const child = spawn('python3', ['-c', PROGRAM, library(), String(at), path], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  const root = `http://127.0.0.1:${at}`;
  await until('ClickHouse answers', async () => {
    if (child.exitCode !== null) throw new Error(`ClickHouse ended with ${child.exitCode}: ${said}`);
    const query = encodeURIComponent("SELECT count() FROM system.databases WHERE name = 'afterword'");
    return await fetch(`${root}/?query=${query}`).then(
      async (answer) => (await answer.text()).trim() === '1',
      () => false,
    );
  });
  return {
    url: `${root}/afterword`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    startAgain: () => startClickHouse(path, at),
  };
}

function library(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('chdb'));
  const platform = readdirSync(join(dirname(require.resolve('chdb/package.json')), '..', '@chdb')).find((name) =>
    name.startsWith('lib-'),
  );
  return join(dirname(require.resolve(`@chdb/${platform}/package.json`)), 'libchdb.so');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
