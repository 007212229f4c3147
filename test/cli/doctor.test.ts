// `afterword doctor`: what it finds on the machine, in the service, and on a page.
import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examinePage } from '../../server/cli/doctor/page.ts';
import { BROWSER } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { addSite, startServer } from '../support/server.ts';

afterAll(removeDataDirs);

interface Found {
  about: string;
  state: string;
  says: string;
  remedy?: string;
}

async function doctor(...words: string[]) {
  const { code, stdout } = await runCommand(['doctor', '--json', ...words]);
  return { code, findings: JSON.parse(stdout) as Found[] };
}

test('a healthy service has nothing to be done', async () => {
  const server = await startServer();
  await addSite(server, 'well.example');
  const { code, findings } = await doctor('--data', server.dataDir);
  expect({ code, remedy: findings.filter(({ remedy }) => remedy !== undefined) }).toEqual({ code: 0, remedy: [] });
  expect(findings.map(({ about }) => about)).toEqual([
    'data folder',
    'disk',
    'server',
    'database',
    'sites',
    'thumbnails',
    'public address',
  ]);
  await server.stop();
});

test('dropped traffic is explained, and a wrong public address found', async () => {
  const server = await startServer({ flags: ['--public-url', 'http://127.0.0.1:9'] });
  await addSite(server, 'ill.example');
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
  for (const [idsite, url] of [
    ['ill.example', 'https://other.example/a'],
    ['none.example', 'https://none.example/a'],
    ['ill.example', 'https://ill.example/a'],
  ] as const) {
    const event = { idsite, url, action: 'pageview', data: { parsely_site_uuid: 'v' } };
    await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': agent },
      body: JSON.stringify({ events: [event] }),
    });
  }
  const { code, findings } = await doctor('--data', server.dataDir);
  expect(code).toBe(1);
  const traffic = findings.filter(({ about }) => about === 'traffic');
  expect(traffic.map(({ state, says }) => [state, says]).sort()).toEqual([
    ['ok', 'Stored since the start, of ill.example: 1.'],
    ['warning', 'Dropped since the start, of ill.example, as foreign-host: 1.'],
    ['warning', 'Dropped since the start, of no known site, as unknown-site: 1.'],
  ]);
  expect(findings.find(({ about }) => about === 'public address')).toMatchObject({ state: 'problem' });
  await server.stop();
});

test('each reason that events were dropped for comes with what to do about it', async () => {
  const server = await startServer();
  await addSite(server, 'many.example');
  const url = 'https://many.example/a';
  const events = [
    { url, action: 'list', lists: 1 },
    { url, action: 'pageview', data: { opted_out: true } },
    { url: 'a', action: 'pageview' },
    { url, action: 'glance' },
    { url, action: 'heartbeat' },
  ].map((event) => ({ idsite: 'many.example', ...event }));
  const send = (agent: string) =>
    fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': agent },
      body: JSON.stringify({ events }),
    });
  await send(BROWSER);
  await send('Googlebot/2.1');
  const { findings } = await doctor('--data', server.dataDir);
  const outcomes = findings.flatMap(({ about, state, says, remedy }) => {
    const outcome = about === 'traffic' ? / as ([\w-]+): \d+\./.exec(says)?.[1] : undefined;
    return outcome === undefined ? [] : [[outcome, state, remedy ?? says.replace(/^.*: \d+\. /, '')]];
  });
  expect(outcomes.sort()).toEqual([
    ['bad-increment', 'warning', expect.stringContaining('inc')],
    ['bad-url', 'warning', expect.stringContaining('canonical URL')],
    ['bot', 'ok', expect.stringMatching(/^Nothing is to be done/)],
    ['malformed', 'warning', expect.stringContaining('/docs')],
    ['opted-out', 'ok', expect.stringMatching(/^Nothing is to be done/)],
    ['unknown-action', 'warning', expect.stringContaining('/docs')],
  ]);
  await server.stop();
});

test('a site whose lists are switched off, but not its search, is warned of', async () => {
  const dataDir = makeDataDir();
  await copyEmptyDatabase(join(dataDir, 'engine'));
  await runCommand(['site', 'add', 'members.example', '--top', 'no', '--recommendations', 'no', '--data', dataDir]);
  const searched = async () => (await doctor('--data', dataDir)).findings.find(({ about }) => about === 'search');
  expect(await searched()).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('afterword site change members.example --search no'),
  });
  await runCommand(['site', 'change', 'members.example', '--search', 'no', '--data', dataDir]);
  expect(await searched()).toBeUndefined();
});

test('without a server, a folder others can read and no site: three warnings, no problem', async () => {
  const dataDir = makeDataDir();
  expect((await doctor('--data', dataDir)).findings).toContainEqual(
    expect.objectContaining({ about: 'database', state: 'problem', says: expect.stringContaining('no database in') }),
  );
  await copyEmptyDatabase(join(dataDir, 'engine'));
  chmodSync(dataDir, 0o755);
  const { code, findings } = await doctor('--data', dataDir);
  expect(code).toBe(0);
  const warned = findings.filter(({ state }) => state === 'warning').map(({ about }) => about);
  expect(warned).toEqual(['data folder', 'server', 'sites']);
});

test('a folder that is not there is a problem, and is not made', async () => {
  const { code, findings } = await doctor('--data', '/nonexistent/never');
  expect(code).toBe(1);
  expect(findings).toMatchObject([{ about: 'data folder', state: 'problem' }]);
});

describe('a page', () => {
  const tag = '<script async src="https://stats.example/afterword.js" data-site="Paper.example"></script>';
  let page = { status: 200, headers: {} as Record<string, string>, html: '' };
  const server = createServer((_, response) => {
    response.writeHead(page.status, page.headers).end(page.html);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => void server.close().closeAllConnections());

  type Page = Partial<typeof page> & { age?: number };
  test.each<[string, Page, object]>([
    ['with its tag', { html: tag }, { page: 'ok', tag: 'ok', clock: 'ok' }],
    [
      'with unquoted attributes',
      { html: '<script src=https://stats.example/afterword.js data-site=paper.example>' },
      { tag: 'ok' },
    ],
    ['without a tag', { html: '<p>afterword.js</p>' }, { tag: 'problem' }],
    ['whose tag names no site', { html: tag.replace('data-site', 'data-name') }, { tag: 'problem' }],
    ['whose site is unknown', { html: tag.replace('Paper', 'other') }, { tag: 'problem' }],
    [
      'whose policy refuses the script',
      { html: tag, headers: { 'Content-Security-Policy': "script-src 'self'" } },
      { 'security policy': 'problem' },
    ],
    ['that a cache in front of its server has kept', { html: tag, age: 7_200 }, { clock: 'ok' }],
    ['with another clock', { html: tag, headers: { Date: 'Wed, 01 Jan 2020 00:00:00 GMT' } }, { clock: 'warning' }],
    [
      'in an encoding that browsers refuse',
      { html: tag, headers: { 'Content-Type': 'text/html; charset=iso-2022-kr' } },
      { page: 'ok', tag: 'problem' },
    ],
    ['that is missing', { status: 404 }, { page: 'problem' }],
    [
      'that calls what p.js does not have',
      {
        html: '<script src="https://stats.example/keys/paper.example/p.js"></script><script>PARSELY.slots.reset()</script>',
      },
      { tag: 'ok', 'older installation': 'warning' },
    ],
  ])('%s', async (_, { age, ...answer }, expected) => {
    // When it is asked for: the tests before it may take longer than two clocks may differ.
    const kept = age && { Date: new Date(Date.now() - age * 1000).toUTCString(), Age: `${age}` };
    page = { status: 200, headers: { ...kept }, html: '', ...answer };
    const { port } = server.address() as AddressInfo;
    const findings = await examinePage(`http://127.0.0.1:${port}/a`, {
      sites: ['paper.example'],
      now: Date.now(),
      server: 'https://stats.example',
    });
    expect(Object.fromEntries(findings.map(({ about, state }) => [about, state]))).toMatchObject(expected);
  });

  test.each(['example.com', 'file:///etc/passwd', 'http://127.0.0.1:9/'])('%s cannot be looked at', async (address) => {
    expect(await examinePage(address, { sites: [], now: Date.now(), server: undefined })).toMatchObject([
      { about: 'page', state: 'problem' },
    ]);
  });
});
