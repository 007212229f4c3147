// `afterword serve`: how it starts, what it refuses, how it stops.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { freePorts } from '../support/ports.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { findProgram } from '../support/shippedProxies.ts';
import { until } from '../support/until.ts';

afterAll(removeDataDirs);

/** Sends half a request and resolves with what comes back when the server has had enough of it. */
async function sendSlowly(url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const connection = connect(Number(port), hostname);
  connection.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: x\r\n');
  let answer = '';
  for await (const text of connection) answer += text;
  return answer;
}

/** A flag wins over its variable (the port is 0), and an empty variable is as good as none. */
const env = { AFTERWORD_PORT: '1', AFTERWORD_PUBLIC_URL: '', AFTERWORD_LOG_LEVEL: 'info' };
let bounded: TestServer;
/** Begun first and looked at last: it takes the server's ten seconds. */
let cutOff: Promise<string>;
beforeAll(async () => {
  bounded = await startServer({ env });
  cutOff = sendSlowly(bounded.url);
});
afterAll(() => bounded.kill());

test('a server is ready, says so, and ends with 0 on a signal to stop', async () => {
  // An empty folder: a first start.
  const server = await startServer({ dataDir: makeDataDir() });
  expect(await getJson(server, '/healthz')).toEqual({ alive: true });
  expect(await getJson(server, '/readyz')).toEqual({
    ready: true,
    events: 'stored',
    reads: 'database',
    problems: [],
  });
  expect(await server.stop()).toBe(0);
  expect(server.log().at(-1)).toMatchObject({ level: 'info', msg: 'stopped' });
});

test('a second server on the same folder is refused, and names the first', async () => {
  const { dataDir, pid, url } = bounded;
  const { code, stderr, stdout } = await runCommand(['serve', '--port', '0', '--data', dataDir]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `error: A server is running on ${dataDir} already (process ${pid}, ${url}). Stop it, or choose another folder with --data.\n`,
  );
});

test('a port in use is one clear error, and nothing is left behind', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await until('the other program listens', () => other.listening);
  const { port } = other.address() as AddressInfo;
  const dataDir = makeDataDir();
  const { code, stderr } = await runCommand(['serve', '--port', String(port), '--data', dataDir]);
  other.close();
  expect(code).toBe(1);
  expect(stderr).toBe(`error: Port ${port} on 127.0.0.1 is in use by another program. Choose another with --port.\n`);
  const server = await startServer({ dataDir });
  expect(await server.stop()).toBe(0);
});

test('requests that come while it starts wait for it, and none is refused', async () => {
  const before = await startServer();
  const site = await addSite(before, 'early.example');
  await before.stop();
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const statuses: number[] = [];
  let isUp = false;
  async function come(ask: () => Promise<Response>): Promise<void> {
    while (!isUp) {
      const answer = await ask().catch(() => undefined);
      if (answer !== undefined) statuses.push(answer.status);
      else await new Promise((done) => setTimeout(done, 5));
    }
  }
  const event = () => ({
    idsite: site.apikey,
    action: 'pageview',
    url: 'https://early.example/',
    eid: crypto.randomUUID(),
  });
  const send = () => fetch(`${url}/events`, { method: 'POST', body: JSON.stringify({ events: [event()] }) });
  const coming = [come(send), come(send), come(() => fetch(`${url}/v2/top/posts?apikey=${site.apikey}`))];
  const server = await startServer({ dataDir: before.dataDir, flags: ['--port', String(port)] });
  await until('each has been answered', () => statuses.length >= coming.length);
  isUp = true;
  await Promise.all(coming);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await server.stop();
});

test('after kill -9 the same folder serves again, also one whose path is too long for a socket', async () => {
  const dataDir = join(makeDataDir(), 'x'.repeat(90), 'y'.repeat(90));
  await mkdir(dataDir, { recursive: true });
  const first = await startServer({ dataDir });
  await addSite(first, 'long.example');
  await first.kill();
  const second = await startServer({ dataDir });
  await addSite(second, 'longer.example');
  expect(await second.stop()).toBe(0);
  const list = await runCommand(['site', 'list', '--json', '--data', dataDir]);
  expect(JSON.parse(list.stdout)).toHaveLength(2);
});

describe('on a signal to stop', () => {
  test('it answers what was begun, takes nothing new, and ends with 0', async () => {
    const server = await startServer();
    const site = await addSite(server, 'stop.example');
    const metadata = { canonical_url: 'https://stop.example/a', title: 'Sent slowly' };
    const body = JSON.stringify({ apikey: site.apikey, secret: site.write_secret, metadata });
    const { port, hostname } = new URL(server.url);
    const begun = connect(Number(port), hostname);
    let answer = '';
    begun.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const head = `POST /v2/metadata/posts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    begun.write(`${head}\r\nExpect: 100-continue\r\n\r\n${body.slice(0, 20)}`);
    await until('the request is under way', () => answer.startsWith('HTTP/1.1 100 '));
    const ended = server.stop();
    await until('the server stops', () => server.log().some(({ msg }) => String(msg).startsWith('stopping')));
    await until('nothing new is taken', () =>
      fetch(`${server.url}/readyz`).then(
        () => false,
        (error) => error instanceof TypeError,
      ),
    );
    begun.write(body.slice(20));
    expect(await ended).toBe(0);
    expect(answer).toContain('{"data":[],"success":true}');

    const again = await startServer({ dataDir: server.dataDir });
    const show = await runCommand([
      'posts',
      'show',
      site.apikey,
      metadata.canonical_url,
      '--json',
      '--data',
      server.dataDir,
    ]);
    expect(JSON.parse(show.stdout)).toMatchObject({ title: 'Sent slowly' });
    await again.stop();
  });

  test('a command under way is finished, whatever it still has to do', async () => {
    const server = await startServer();
    await addSite(server, 'purged.example', '--no-discover');
    const run = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
    // Goes through the tables until one pass finds nothing.
    const purging = run('site', 'remove', 'purged.example', '--purge', '--yes');
    await until('it has begun', async () => (await run('site', 'list')).stdout.startsWith('No site yet'));
    const ended = server.stop();
    expect(await purging).toMatchObject({ code: 0, stdout: expect.stringContaining('is removed') });
    expect(await ended).toBe(0);
  });

  test('the end of its terminal is one, also when it comes twice', async () => {
    const server = await startServer();
    process.kill(server.pid, 'SIGHUP');
    await until('the server stops', () => server.log().some(({ msg }) => String(msg).startsWith('stopping')));
    expect(await server.stop('SIGHUP')).toBe(0);
  });

  test('it ends with a terminal that is gone', async ({ skip }) => {
    skip(process.platform !== 'linux' || findProgram('script') === undefined, 'no program opens a terminal');
    const server = await startServer({ within: ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh'] });
    const { stderr } = await runCommand(['serve', '--port', '0', '--data', server.dataDir]);
    const [, pid] = /process (\d+)/.exec(stderr)!;
    // That of the program that holds the terminal.
    await server.kill();
    await until('the server has ended', () => !existsSync(`/proc/${pid}/exe`));
  });

  test('a second signal ends it at once', async () => {
    const server = await startServer();
    const { port, hostname } = new URL(server.url);
    const begun = connect(Number(port), hostname).on('error', () => begun.destroy());
    begun.write('POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await until('the request has arrived', () => getJson(server, '/healthz'));
    const ended = server.stop();
    await until('the server stops', () => server.log().some(({ msg }) => String(msg).startsWith('stopping')));
    void server.stop();
    expect(await ended).toBe(143);
  });
});

describe('settings', () => {
  test.each([
    [['--port', '70000'], {}, '--port (or AFTERWORD_PORT) takes a whole number from 0 to 65535, not "70000".'],
    [[], { AFTERWORD_PORT: 'http' }, '--port (or AFTERWORD_PORT) takes a whole number from 0 to 65535, not "http".'],
    [
      ['--public-url', 'example.com'],
      {},
      '--public-url (or AFTERWORD_PUBLIC_URL) takes an http:// or https:// address',
    ],
    [[], { AFTERWORD_PUBLIC_URL: 'https://a.example/path' }, 'without a path'],
    [
      ['--trusted-proxies', '-1'],
      {},
      '--trusted-proxies (or AFTERWORD_TRUSTED_PROXIES) takes a whole number from 0 to 10',
    ],
    [
      [],
      { AFTERWORD_ALLOW_PRIVATE_CRAWL: 'maybe' },
      '--allow-private-crawl (or AFTERWORD_ALLOW_PRIVATE_CRAWL) takes yes or no',
    ],
    [['--access-log', 'maybe'], {}, '--access-log (or AFTERWORD_ACCESS_LOG) takes yes or no, not "maybe".'],
    [['--log-level', 'loud'], {}, '--log-level (or AFTERWORD_LOG_LEVEL) takes one of debug, info'],
    [
      ['--clickhouse-cluster', 'a b'],
      {},
      "--clickhouse-cluster (or AFTERWORD_CLICKHOUSE_CLUSTER) takes a cluster's name",
    ],
    [['--host', 'no host'], {}, '--host (or AFTERWORD_HOST) takes an address'],
    [['--nonsense'], {}, "unknown option '--nonsense'"],
  ])('%j with %j is refused', async (flags, env, sentence) => {
    const words = ['serve', '--data', '/nonexistent/never', ...flags];
    const ownEnvironment = Object.keys(env).length > 0;
    const { code, stderr, stdout } = ownEnvironment ? await runCommand(words, env) : await runInProcess(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  test('a password in a refused URL is not repeated', async () => {
    const { stderr } = await runCommand(['serve'], { AFTERWORD_CLICKHOUSE_URL: 'ftp://user:hunter2@db' });
    expect(stderr).toContain('--clickhouse-url (or AFTERWORD_CLICKHOUSE_URL) takes http://');
    expect(stderr).not.toContain('hunter2');
    const open = await runInProcess(['serve', '--public-url', 'https://user:hunter2@stats.example']);
    expect(open.stderr).toContain('not "https://…@stats.example".');
  });

  test('a flag wins over its variable, and an empty variable says nothing', async () => {
    expect(new URL(bounded.url).port).not.toBe(env.AFTERWORD_PORT);
    expect(await getJson(bounded, '/readyz')).toMatchObject({ ready: true });
  });
});

describe('--help', () => {
  test.each([
    [['--help'], /afterword serve .*\n.*afterword site add/],
    [['serve', '--help'], /--public-url <url>[\s\S]*AFTERWORD_PUBLIC_URL/],
    [['site', '--help'], /rotate-secret/],
    [['site', 'add', '--help'], /--domain <host>[\s\S]*AFTERWORD_DATA/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
  ])('%j answers on standard output and ends with 0', async (args, pattern) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(pattern);
  });

  test.each([[[]], [['sites']], [['site']], [['site', 'add']]])(
    '%j alone ends with 2 and shows the way',
    async (args) => {
      const { code, stderr } = await runInProcess(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/--help|Usage/);
    },
  );
});

describe('what a sender may take', () => {
  test('huge headers are refused', async () => {
    const response = await fetch(`${bounded.url}/healthz`, { headers: { 'X-Long': 'x'.repeat(20_000) } });
    expect(response.status).toBe(431);
  });

  test('a request that never ends is cut off', async () => {
    expect(await cutOff).toMatch(/^HTTP\/1\.1 408 /);
    expect(await bounded.stop()).toBe(0);
  });
});
