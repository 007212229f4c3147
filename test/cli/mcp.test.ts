// `afterword mcp`: the official client starts it, lists and calls every tool of a running server, by its address and by its data folder.
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuide } from '../docs/guides/guide.ts';
import {
  ACTING,
  askApi,
  connectOverHttp,
  connectOverStdio,
  connectToProgram,
  readingCases,
  use,
} from '../support/assistants.ts';
import { command, ensureBuilt } from '../support/build.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const A = 'https://paper.example/a';
const B = 'https://paper.example/b';

let server: TestServer;
let site: TestSite;

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
  const { apikey, write_secret: secret } = site;
  for (const [url, title] of [
    [A, 'a harbour'],
    [B, 'a bridge'],
  ]) {
    const metadata = { canonical_url: url, title, section: 'World', authors: ['Bob'], tags: ['x'] };
    await postJson(server, '/v2/metadata/posts', { apikey, secret, metadata });
  }
  const events = [A, A, B].map((url, index) => ({
    idsite: apikey,
    action: 'pageview',
    url,
    urlref: 'https://www.google.com/',
    eid: `view-${index}`,
    data: { parsely_site_uuid: `reader-${index}` },
  }));
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  await allStored(server);
});

afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

/** Of what is asked of this moment. */
const MOMENTARY = new Set(['period_start', 'period_end', 'course']);

/** What does not hang on the moment of the question. */
const lasting = ({ data = null, success, code }: Record<string, unknown>) => ({
  data: JSON.parse(JSON.stringify(data, (key, value: unknown) => (MOMENTARY.has(key) ? undefined : value))) as unknown,
  success,
  code,
});

const api = async (target: string) =>
  lasting(await askApi({ url: server.url, apikey: site.apikey, secret: site.secret }, target));

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

const ways: [string, (right: 'read' | 'write') => Promise<Client>][] = [
  [
    '/mcp',
    (right) => {
      const secret = right === 'read' ? site.secret : site.write_secret;
      return connectOverHttp(server.url, { Authorization: `Bearer ${secret}`, 'Afterword-Site': site.apikey });
    },
  ],
  [
    'mcp --server',
    (right) =>
      connectOverStdio(['--server', server.url, '--site', site.apikey], {
        AFTERWORD_SECRET: right === 'read' ? site.secret : site.write_secret,
      }),
  ],
  [
    'mcp --data',
    (right) =>
      connectOverStdio(['--data', server.dataDir, '--site', site.apikey, ...(right === 'write' ? ['--act'] : [])]),
  ],
];

describe.each(ways)('%s', (_, connect) => {
  test('lists and calls every tool that reads; answers are those of the API', async () => {
    const client = await connect('read');
    try {
      const cases = readingCases(A);
      expect(new Set(await namesOf(client))).toEqual(new Set(cases.map(({ tool }) => tool)));
      for (const { tool, args, target } of cases) {
        const { structuredContent } = await use(client, tool, args);
        expect([tool, lasting(structuredContent.answer)]).toEqual([tool, await api(target)]);
      }
      const { structuredContent } = await use(client, 'analytics', { of: 'posts' });
      expect(structuredContent.answer.data).toMatchObject([
        { title: 'a harbour', _hits: 2 },
        { title: 'a bridge', _hits: 1 },
      ]);
      const refused = await use(client, 'post_hide', { url: A });
      expect([refused.isError, refused.structuredContent.answer.code]).toEqual([true, 403]);
    } finally {
      await client.close();
    }
  });

  test('changes something for the write secret, and undoes it', async () => {
    const client = await connect('write');
    try {
      expect((await namesOf(client)).filter((name) => ACTING.includes(name)).sort()).toEqual(ACTING);
      const hidden = async () => (await api('/v2/exclude/list')).data;
      await use(client, 'post_hide', { url: A, dry_run: true });
      expect(await hidden()).toEqual([]);
      const { structuredContent } = await use(client, 'post_hide', { url: A });
      expect(await hidden()).toEqual([A]);
      const { tool, arguments: args } = structuredContent.undo!;
      await use(client, tool!, args);
      expect(await hidden()).toEqual([]);
      const queued = await use(client, 'page_read_again', { url: A, dry_run: true });
      expect(queued.structuredContent.answer.data).toEqual({ url: A, status: 'would be queued' });
    } finally {
      await client.close();
    }
  });
});

test('a client starts what docs/assistants.md writes, in a folder of its own', async () => {
  await ensureBuilt();
  const folder = makeDataDir();
  // What an installation puts into the path, and nothing else.
  symlinkSync(command, join(folder, 'afterword'));
  symlinkSync(process.execPath, join(folder, 'node'));
  const text = readGuide('assistants.md')
    .block('As a program', 'json')
    .replace('https://stats.example.com', server.url)
    .replace('example.com', site.apikey)
    .replace('"SECRET"', JSON.stringify(site.secret));
  const { env, ...program } = JSON.parse(text).mcpServers.afterword;
  const client = await connectToProgram({ ...program, env: { ...env, PATH: folder }, cwd: folder });
  try {
    const { structuredContent } = await use(client, 'analytics', { of: 'posts' });
    expect(structuredContent.answer.success).toBe(true);
  } finally {
    await client.close();
  }
});

describe('the command line', () => {
  const WRONG: [string, string[], Record<string, string>, number, string][] = [
    ['no site', ['--server', 'https://stats.example.com'], {}, 2, 'Name the site with --site'],
    ['no secret', ['--server', 'https://stats.example.com', '--site', 'a.example'], {}, 2, 'Give a secret of the site'],
    [
      'no address',
      ['--server', 'ftp://a.example', '--site', 'a.example'],
      {},
      2,
      '--server (or AFTERWORD_SERVER) takes',
    ],
    [
      'a right that the secret says',
      ['--server', 'https://stats.example.com', '--site', 'a.example', '--act'],
      { AFTERWORD_SECRET: 'x' },
      2,
      'the write secret says the same',
    ],
  ];
  test.each(WRONG)('%s is refused with what to do', async (_, words, env, code, sentence) => {
    const ended = await runCommand(['mcp', ...words], env);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(sentence);
  });

  test('a folder on which no server runs is refused: the database is left to servers', async () => {
    const ended = await runCommand(['mcp', '--data', makeDataDir(), '--site', 'a.example']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('Start one (afterword serve)');
  });

  test('a wrong secret, an unknown site and a server that is away are the answer of each message', async () => {
    for (const [words, env, sentence] of [
      [
        ['--server', server.url, '--site', site.apikey],
        { AFTERWORD_SECRET: 'wrong' },
        'Send either secret of the site',
      ],
      [['--server', 'http://127.0.0.1:9', '--site', site.apikey], { AFTERWORD_SECRET: 'x' }, 'does not answer'],
      [['--data', server.dataDir, '--site', 'other.example'], {}, 'other.example'],
    ] as [string[], Record<string, string>, string][])
      await expect(connectOverStdio(words, env)).rejects.toThrow(sentence);
  });

  test('a server that leads elsewhere is not followed with the secret', async () => {
    const asked: string[] = [];
    const elsewhere = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const words = ['--server', url, '--site', site.apikey];
    await expect(connectOverStdio(words, { AFTERWORD_SECRET: 'x' })).rejects.toThrow('does not answer');
    expect(asked).toEqual(['/mcp']);
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  test('ends with its input, and exit code 0', async () => {
    const { code, stdout } = await runCommand(['mcp', '--data', server.dataDir, '--site', site.apikey]);
    expect([code, stdout]).toEqual([0, '']);
  });
});
