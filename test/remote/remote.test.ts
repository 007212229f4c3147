// Remote mode: everything a small installation does, on a ClickHouse server instead of the engine inside.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { articlePage, openArchiveSite, urlSet, XML } from '../crawl/archiveSite.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer } from '../support/server.ts';
import { emptyDatabases, expectRemembered, openSite, readAround } from './journey.ts';

let clickhouse: ClickHouse;

beforeAll(async () => {
  clickhouse = await startClickHouse(makeDataDir());
});
afterAll(async () => {
  await clickhouse.kill();
  await removeDataDirs();
});

test('a site is made, read and listed, and a restart keeps all of it', async () => {
  await emptyDatabases([clickhouse]);
  const flags = ['--clickhouse-url', clickhouse.url];
  const server = await startServer({ flags });
  const site = await openSite(server);
  await readAround(server, site);
  expect(await server.stop()).toBe(0);

  const again = await startServer({ flags });
  await expectRemembered(again, site);
  const steps = again.log().filter(({ msg }) => msg === 'schema created' || msg === 'schema upgraded');
  expect(steps, 'the schema is created once').toEqual([]);
  expect(await again.stop()).toBe(0);
});

describe('a server that cannot be used ends the start with 1 and a sentence', () => {
  const wrong: [what: string, change: (url: URL) => void, sentence: RegExp][] = [
    ['nobody listens', (url) => Object.assign(url, { port: '1' }), /ECONNREFUSED/],
    ['the password is wrong', (url) => Object.assign(url, { password: 'hunter2' }), /Authentication failed|password/],
    ['there is no such database', (url) => Object.assign(url, { pathname: '/nowhere' }), /nowhere/],
    ['the server has no TLS', (url) => Object.assign(url, { href: url.href.replace('http:', 'https:') }), /SSL|TLS/],
  ];
  test.each(wrong)('%s', async (_, change, sentence) => {
    const url = new URL(clickhouse.url);
    change(url);
    const flags = ['--port', '0', '--data', makeDataDir(), '--clickhouse-url', url.href];
    const { code, stdout, stderr } = await runCommand(['serve', ...flags]);
    const said = stdout + stderr;
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(sentence) });
    expect(said).not.toContain(new URL(clickhouse.url).password);
    expect(said).not.toContain('hunter2');
    expect(said).not.toContain('    at ');
  });
});

test('a site is filled from its sitemap, beside a running server and without one', async () => {
  await emptyDatabases([clickhouse]);
  const web = await openArchiveSite(2);
  const flags = ['--clickhouse-url', clickhouse.url, '--allow-private-crawl'];
  const server = await startServer({ flags });
  const words = ['--data', server.dataDir, '--clickhouse-url', clickhouse.url];
  const domains = web.origins.flatMap((origin) => ['--domain', new URL(origin).host]);
  await runCommand(['site', 'add', 'archive.example', '--json', ...domains, ...words]);
  const publish = (from: number) => {
    const urls = [from, from + 1].map((number, at) => `${web.origins[at]}/a${number}`);
    for (const number of [from, from + 1]) web.files.set(`/a${number}`, articlePage(number));
    web.files.set('/sitemap.xml', { body: urlSet(urls), type: XML });
  };
  publish(0);
  const beside = await runCommand(['crawl', 'archive.example', '--json', ...words]);
  expect(JSON.parse(beside.stdout)).toMatchObject({ queued: { queued: 2 }, read: { posts: 2, waiting: 0 } });
  expect(await server.stop()).toBe(0);
  publish(2);
  const alone = await runCommand(['crawl', 'archive.example', '--json', '--allow-private-crawl', ...words]);
  expect(JSON.parse(alone.stdout)).toMatchObject({ queued: { queued: 2 }, read: { posts: 2, waiting: 0 } });
  web.close();
});
