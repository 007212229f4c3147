// What `site add` prints for the publisher: the server's real address in the tag, and the command that fills the lists.
import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdDoor } from '../../server/cli/adminDoor.ts';
import type { ServerStatus } from '../../server/cli/reach.ts';
import { type ArchiveSite, articlePage, openArchiveSite, urlSet, XML } from '../crawl/archiveSite.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { startServer, type TestServer } from '../support/server.ts';

afterAll(() => removeDataDirs());

const tagIn = (stdout: string): string | undefined => /src="(.*)\/afterword\.js"/.exec(stdout)?.[1];

describe('the address in the tag', () => {
  test('is that of a server which was still starting when it was asked', async () => {
    const dataDir = makeDataDir();
    const status: ServerStatus = { pid: process.pid, version: '0' };
    const door = await holdDoor(dataDir, { status: () => status, log: pino({ level: 'silent' }) });
    // Answered when the server serves: not before it knows its address.
    door.open(
      new Hono()
        .post('/sites', (c) => {
          status.url = 'http://127.0.0.1:4711';
          return c.json({ apikey: 'starts.example', secret: 's', write_secret: 'w' });
        })
        .post('/sitemaps/find', (c) => c.json({ urls: [], answered: false, hindered: [] })),
    );
    const { stdout } = await runCommand(['site', 'add', 'starts.example', '--data', dataDir]);
    await door.close();
    expect(tagIn(stdout)).toBe('http://127.0.0.1:4711');
    expect(stdout).toContain('The server listens at http://127.0.0.1:4711. On pages that others read, put the address');
  });

  test('is the one it will listen at, where no server runs, or the public one', async () => {
    const dataDir = makeDataDir();
    await copyEmptyDatabase(join(dataDir, 'engine'));
    const add = (id: string, words: string[], env = {}) =>
      runCommand(['site', 'add', id, '--no-discover', '--data', dataDir, ...words], env);
    const told = await add('one.example', [], { AFTERWORD_PORT: '9123', AFTERWORD_HOST: '::1' });
    expect(tagIn(told.stdout)).toBe('http://[::1]:9123');
    expect(told.stdout).toContain('No server runs on this data now; with these settings it will listen at');
    expect(tagIn((await add('two.example', [])).stdout)).toBe('http://127.0.0.1:8080');
    // Kubernetes says so of a service that is named "afterword".
    const inCluster = await add('four.example', [], { AFTERWORD_PORT: 'tcp://10.96.0.1:8080' });
    expect(inCluster).toMatchObject({ code: 0, stderr: '' });
    expect(tagIn(inCluster.stdout)).toBe('http://127.0.0.1:8080');
    const open = await add('three.example', ['--public-url', 'https://stats.example.com']);
    expect(tagIn(open.stdout)).toBe('https://stats.example.com');
    expect(open.stdout).not.toMatch(/No server runs|put the address/);
  });
});

test('for a site on this machine the command names the flag that lets the crawler read it', async () => {
  const dataDir = makeDataDir();
  await copyEmptyDatabase(join(dataDir, 'engine'));
  const words = ['site', 'add', 'localhost', '--domain', 'localhost:9', '--data', dataDir];
  const { code, stdout } = await runCommand(words);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^localhost leads to \S+, which is not an address of the public internet\. Its pages are read by a server/m,
  );
  expect(stdout).toContain('--allow-private-crawl');
});

describe('beside a running server', () => {
  let server: TestServer;
  let web: ArchiveSite;
  let silent: Server;
  beforeAll(async () => {
    server = await startServer({ flags: ['--allow-private-crawl', '--public-url', 'https://stats.example.com'] });
    web = await openArchiveSite();
    silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await server.kill();
    web.close();
    silent.closeAllConnections();
    silent.close();
  });

  let sites = 0;
  const add = async (domain: string, ...words: string[]) => {
    const id = `found-${++sites}.example`;
    const { code, stdout } = await runInProcess([
      'site',
      'add',
      id,
      '--domain',
      domain,
      '--data',
      server.dataDir,
      ...words,
    ]);
    expect(code).toBe(0);
    expect(tagIn(stdout)).toBe('https://stats.example.com');
    expect(stdout).toContain('write secret');
    return { id, stdout };
  };

  test('prints the very command that fills the lists, where the site names a sitemap', async () => {
    const [origin] = web.origins;
    const sitemap = `${origin}/maps/news.xml`;
    web.files.set('/robots.txt', { body: `User-agent: *\nAllow: /\nSitemap: ${sitemap}\n`, type: 'text/plain' });
    web.files.set('/maps/news.xml', { body: urlSet([`${origin}/a`]), type: XML });
    web.files.set('/a', articlePage(1));
    const { id, stdout } = await add(new URL(origin!).host);
    const [, command] = /^ {2}npx afterword (crawl .*)$/m.exec(stdout) ?? [];
    expect(command).toBe(`crawl --sitemap ${sitemap} --site ${id}`);
    const filled = await runInProcess([...command!.split(' '), '--data', server.dataDir]);
    expect(filled.stdout).toContain('read: 1, 1 of them posts');
  });

  test('prints an address that a shell would run as one word, whatever the site calls its sitemap', async () => {
    const [origin] = web.origins;
    const path = "/maps/a;touch$(id)'&x.xml";
    web.files.set('/robots.txt', { body: `Sitemap: ${origin}${path}\n`, type: 'text/plain' });
    const { id, stdout } = await add(new URL(origin!).host);
    const [, command] = /^ {2}npx afterword (crawl .*)$/m.exec(stdout) ?? [];
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
    expect(words).toBe(`crawl\n--sitemap\n${origin}${path}\n--site\n${id}\n`);
  });

  test('asks nothing of the site with --no-discover, and then prints the general line', async () => {
    const before = web.asked.length;
    const { id, stdout } = await add(new URL(web.origins[0]!).host, '--no-discover');
    expect(stdout).toContain(`  npx afterword crawl --sitemap <url> --site ${id}`);
    expect(web.asked).toHaveLength(before);
  });

  test('is done in seconds where the site never answers', async () => {
    const { port } = silent.address() as AddressInfo;
    const { id, stdout } = await add(`127.0.0.1:${port}`);
    expect(stdout).toContain(`  npx afterword crawl --sitemap <url> --site ${id}`);
  });
});
