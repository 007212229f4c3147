// A PostgreSQL of its own, where the machine has one installed: for measuring a peer's queries beside ours.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Postgres {
  version: string;
  /** Runs statements. */
  execute(sql: string): Promise<void>;
  /** Milliseconds the server took, without starting a client. */
  time(sql: string): Promise<number>;
  stop(): Promise<void>;
}

/** @returns undefined where PostgreSQL is not installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const version = await run('postgres', ['--version']).then(
    ({ stdout }) => `PostgreSQL ${/[\d.]+/.exec(stdout)?.[0] ?? ''}`,
    isMissing,
  );
  if (version === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'afterword-postgres-'));
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? await userNamed('postgres') : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  await run('initdb', ['-D', data, '-U', 'bench', '--auth=trust', '--no-sync'], { ...owner, cwd: folder });
  const tuned = ['shared_buffers=512MB', 'work_mem=64MB', 'max_wal_size=4GB', 'listen_addresses='];
  const options = tuned.flatMap((setting) => ['-c', setting]);
  const server = spawn('postgres', ['-D', data, '-k', folder, ...options], { ...owner, cwd: folder, stdio: 'ignore' });
  const psql = async (commands: readonly string[]): Promise<string> => {
    const args = [
      '-h',
      folder,
      '-U',
      'bench',
      '-d',
      'postgres',
      '-v',
      'ON_ERROR_STOP=1',
      '-X',
      '-q',
      ...commands.flatMap((text) => ['-c', text]),
    ];
    return (await run('psql', args, { maxBuffer: 1 << 26 })).stdout;
  };
  await untilItAnswers(server, () => psql(['SELECT 1']));
  return {
    version,
    execute: async (sql) => void (await psql([sql])),
    async time(sql) {
      const found = /Time: ([\d.]+) ms/.exec(await psql(['\\timing on', sql]));
      if (!found) throw new Error('psql printed no time.');
      return Number(found[1]);
    },
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function userNamed(name: string): Promise<{ uid?: number; gid?: number }> {
  const id = async (flag: string) => Number((await run('id', [flag, name])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function untilItAnswers(server: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  let last: unknown;
  for (let attempt = 0; attempt < 100; attempt++) {
    if (server.exitCode !== null) throw new Error(`postgres ended with code ${server.exitCode}.`);
    try {
      await ask();
      return;
    } catch (error) {
      last = error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('postgres does not answer.', { cause: last });
}

/** Umami's table and indexes, with believable events over so many days. */
export const umamiTable = (events: number, days: number): string => `
SELECT setseed(0.5);
CREATE TABLE ev (site int, sess int, visit int, at timestamptz, path text, kind int);
INSERT INTO ev SELECT 1, (power(random(), 2) * ${Math.round(events / 10)})::int, (random() * ${Math.round(events / 5)})::int,
  now() - random() * interval '${days} days', '/articles/' || (power(random(), 3) * 5000)::int, 1 FROM generate_series(1, ${events});
CREATE INDEX ON ev (site, at); CREATE INDEX ON ev (site, at, path); CREATE INDEX ON ev (site, sess, at); CREATE INDEX ON ev (site, visit, at);
ANALYZE ev;`;

/** Its list of pages, and the same with the metrics of each page. */
export const umamiQueries = {
  list: `SELECT path, count(DISTINCT sess) AS y FROM ev WHERE site = 1 AND at >= now() - interval '30 days' AND kind = 1
    GROUP BY path ORDER BY y DESC LIMIT 10`,
  expanded: `SELECT path, sum(views), count(DISTINCT sess), count(DISTINCT visit), sum(CASE WHEN views = 1 THEN 1 ELSE 0 END), sum(seconds) FROM (
    SELECT path, sess, visit, count(*) AS views, extract(epoch FROM max(at) - min(at)) AS seconds FROM ev
    WHERE site = 1 AND at >= now() - interval '30 days' AND kind = 1 GROUP BY path, sess, visit) AS t
    GROUP BY path ORDER BY 2 DESC LIMIT 10`,
};
