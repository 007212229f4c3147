// The shipped examples for proxies, as they are to be tried on this machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './build.ts';
import { until } from './until.ts';

export const readShipped = (name: string): string => readFileSync(join(root, 'server/deploy', name), 'utf8');

/** Paths that each of the examples keeps from readers. */
export function hiddenPaths(): { nginx: string[]; caddy: string[] } {
  const nginx = [...readShipped('nginx.conf').matchAll(/^ *location = (\S+) \{ return 404; \}$/gm)];
  const caddy = /^\s*@inside path (.*)$/m.exec(readShipped('Caddyfile'))?.[1]?.split(' ') ?? [];
  return { nginx: nginx.map(([, path]) => path!), caddy };
}

/** @returns Its file; undefined where this machine does not have it. */
export function findProgram(name: string): string | undefined {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter);
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

export interface Tried {
  code: number | null;
  said: string;
}

/** Runs a program to its end. */
export function tryProgram(program: string, ...words: string[]): Promise<Tried> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    child.once('error', fail);
    child.once('close', (code) => done({ code, said }));
  });
}

/**
 * Writes a whole configuration around the shipped one, which listens on loopback and leads to servers of this machine.
 * @param with.to One server, or two copies.
 * @param with.lines Lines in the place of `listen`.
 * @returns Arguments of nginx.
 */
export function writeNginx(
  folder: string,
  { port, to, lines = '' }: { port: number; to: string | readonly [string, string]; lines?: string },
) {
  mkdirSync(join(folder, 'cache'), { recursive: true });
  const [first, second] = [to].flat().map((url) => new URL(url).host);
  const shipped = readShipped('nginx.conf');
  const upstream =
    second === undefined
      ? shipped.replace(/^ *server afterword-2:8080.*\n/m, '')
      : shipped.replace('server afterword-2:8080', `server ${second}`);
  const site = upstream
    .replace('server afterword-1:8080', `server ${first}`)
    .replace(/^ *listen 8080;/m, lines || `listen 127.0.0.1:${port};`)
    .replaceAll('/var/log/nginx', folder)
    .replace('/var/cache/nginx', join(folder, 'cache'));
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  // As root, nginx would go on as another user, who may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const main = `${user}pid ${join(folder, 'nginx.pid')};\ndaemon off;\nerror_log ${join(folder, 'error.log')};\nevents { worker_connections 4096; }\nhttp {\n${temporary}\ninclude ${join(folder, 'site.conf')};\n}\n`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  return ['-p', folder, '-c', join(folder, 'nginx.conf')];
}

/** Starts a program that serves, and waits until it answers. @returns Ends it. */
export async function startProxy(program: string, words: readonly string[], url: string): Promise<() => Promise<void>> {
  const child = spawn(program, words, { stdio: 'ignore' });
  const ended = new Promise<void>((done) => {
    child.once('close', () => done());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await until(`${program} answers`, () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
