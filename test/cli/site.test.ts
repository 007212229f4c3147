// `afterword site …` beside a running server and without one.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await removeDataDirs();
});

/** A database of its own, where the commands find no server. */
async function makeUnservedDir(): Promise<string> {
  const dataDir = makeDataDir();
  await copyEmptyDatabase(join(dataDir, 'engine'));
  return dataDir;
}

/** Runs a command: without a server in a process of its own, which opens the database. */
const run = (dataDir: string, ...words: string[]) =>
  (dataDir === server.dataDir ? runInProcess : runCommand)([...words, '--data', dataDir]);

/** Runs a site command on a data folder and reads what it prints as JSON. */
async function site<T = Record<string, unknown>>(dataDir: string, ...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(dataDir, 'site', ...words, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe.each([
  ['beside a running server', { openDir: async () => server.dataDir }],
  ['without a server', { openDir: makeUnservedDir }],
])('%s', (_, { openDir }) => {
  test('a site is made, shown, changed and removed', async () => {
    const dataDir = await openDir();
    const made = await site(dataDir, 'add', 'Example.com', '--timezone', 'europe/madrid', '--domain', 'localhost:3000');
    expect(made).toEqual({
      apikey: 'example.com',
      secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      write_secret: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
    });

    const shown = await site(dataDir, 'show', 'EXAMPLE.COM');
    expect(shown).toMatchObject({
      apikey: 'example.com',
      timezone: 'Europe/Madrid',
      domains: ['localhost:3000'],
      features: { top: true, recommendations: true, search: true },
      event_metadata: false,
      segment_keys: [],
    });
    const { old_secrets, ...others } = shown;
    expect(old_secrets).toEqual([]);
    expect(JSON.stringify(others)).not.toMatch(/hash|secret/i);

    const change = (...words: string[]) => site(dataDir, 'change', 'example.com', ...words);
    const [domains, keys] = [
      ['--domain', 'a.example', '--domain', 'b.example'],
      ['--segment-key', 'tier', '--segment-key', 'access level'],
    ];
    await change('--top', 'no', ...domains, '--event-metadata', 'on', ...keys);
    const { stdout } = await run(dataDir, 'site', 'show', 'example.com');
    expect(stdout).toMatch(/^event metadata {3}on\nsegment keys {5}tier, access level$/m);
    const oneHost = await run(dataDir, 'site', 'change', 'example.com', '--domain', 'b.example');
    const allHosts = 'afterword site change example.com --domain a.example --domain b.example';
    expect(oneHost.stdout).toContain(`--domain takes all of them: a.example. With them: ${allHosts}\n`);
    expect((await run(dataDir, ...allHosts.split(' ').slice(1))).stdout).not.toContain('Removed');
    expect(await change('--event-metadata', 'off')).toMatchObject({
      timezone: 'Europe/Madrid',
      domains: ['a.example', 'b.example'],
      features: { top: false, recommendations: true, search: true },
      event_metadata: false,
      segment_keys: ['tier', 'access level'],
    });

    expect(await site(dataDir, 'remove', 'example.com', '--yes')).toEqual({ apikey: 'example.com', removed: true });
    expect(await site(dataDir, 'list')).toEqual([]);
  });
});

describe('beside a running server', () => {
  test('keys of segments are added to those a site has, and removed one by one', async () => {
    const { dataDir } = server;
    await site(dataDir, 'add', 'keys.example', '--segment-key', 'plan');
    await site(dataDir, 'change', 'keys.example', '--segment-key', 'tier', '--segment-key', 'plan');
    const words = ['--segment-key', 'access level', '--remove-segment-key', 'plan'];
    expect(await site(dataDir, 'change', 'keys.example', ...words)).toMatchObject({
      segment_keys: ['tier', 'access level'],
    });
    await site(dataDir, 'remove', 'keys.example', '--yes');
  });

  test('the dials of a site are set, shown and cleared one by one, and another value says what is accepted', async () => {
    const { dataDir } = server;
    await site(dataDir, 'add', 'dials.example', '--mix', '0.7');
    const change = (...words: string[]) => site(dataDir, 'change', 'dials.example', ...words);
    expect(await change('--diversity', '.5')).toMatchObject({ dials: { mix: 0.7, diversity: 0.5 } });
    const { stdout } = await run(dataDir, 'site', 'show', 'dials.example');
    expect(stdout).toContain('dials            mix 0.7, diversity 0.5');
    expect(await change('--mix', 'none')).toMatchObject({ dials: { diversity: 0.5 } });
    const refused = await run(dataDir, 'site', 'change', 'dials.example', '--freshness', '2');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It takes a number from 0 to 1, such as 0.5, or none.'),
    });
    await site(dataDir, 'remove', 'dials.example', '--yes');
  });

  test('a site sorts referrers by rules of its own, which are added to and removed one by one', async () => {
    const { dataDir } = server;
    await site(dataDir, 'add', 'ruled.example', '--referrer', 'Partner.example=aggregator');
    const rule = (...rules: string[]) =>
      site(dataDir, 'change', 'ruled.example', ...rules.flatMap((text) => ['--referrer', text]));
    const first = await rule('*.club.example=social', 'com.example.reader=ai');
    expect(first).toMatchObject({
      referrers: { 'partner.example': 'aggregator', '*.club.example': 'social', 'com.example.reader': 'ai' },
    });
    await rule('partner.example=none', 'com.example.reader=other');
    const shown = await site(dataDir, 'show', 'ruled.example');
    expect(shown.referrers).toEqual({ '*.club.example': 'social', 'com.example.reader': 'other' });
    const { stdout } = await run(dataDir, 'site', 'show', 'ruled.example');
    expect(stdout).toContain('referrers        *.club.example=social, com.example.reader=other');
    await site(dataDir, 'remove', 'ruled.example', '--yes');
  });

  let rotated = 0;
  test('rotating replaces one secret or both', async () => {
    const { dataDir } = server;
    const id = `rotated-${++rotated}.example`;
    await site(dataDir, 'add', id);
    expect(Object.keys(await site(dataDir, 'rotate-secret', id))).toEqual(['apikey', 'secret']);
    expect(Object.keys(await site(dataDir, 'rotate-secret', id, '--write'))).toEqual(['apikey', 'write_secret']);
    expect(Object.keys(await site(dataDir, 'rotate-secret', id, '--both'))).toEqual([
      'apikey',
      'secret',
      'write_secret',
    ]);
  });
});

describe('a mistake', () => {
  beforeAll(async () => {
    await addSite(server, 'rotated.example');
  });

  /** What a site is or has, and not how a value is written. */
  const OF_SITE = /^There is (?:a|no) site|^A site has at most|is no segment key/;
  test.concurrent.each([
    [['add', 'not a site'], 'looks like a domain'],
    [['add', 'exämple.com'], 'letters of ASCII alone: exämple.com is xn--exmple-cua.com.'],
    [['add', 'rotated.example'], 'There is a site rotated.example already'],
    [['add', 'new.example', '--timezone', 'Mars/Olympus'], '--timezone takes an IANA name'],
    [['add', 'new.example', '--domain', 'https://new.example'], '--domain takes a host'],
    [
      ['add', 'new.example', '--referrer', 'a.example=friends'],
      '--referrer takes host=category with one of social, search, aggregator, ai, other, internal, none, not "a.example=friends"',
    ],
    [['add', 'new.example', '--referrer', 'a.example'], 'not "a.example"'],
    [['add', 'new.example', '--referrer', 'https://a.example/=ai'], '--referrer takes a host such as news.example'],
    [['add', 'new.example', '--referrer', '*=ai'], '--referrer takes a host such as news.example'],
    [['add', 'new.example', '--segment-key', '_channel'], '--segment-key takes a key of an event'],
    [['change', 'rotated.example', '--segment-key', 'segments'], 'that trackers do not use themselves'],
    [['change', 'rotated.example', '--segment-key', ' '], '--segment-key is given with an empty value'],
    [
      ['change', 'rotated.example', ...Array.from({ length: 11 }, (_, n) => ['--segment-key', `key-${n}`]).flat()],
      'A site has at most 10 segment keys',
    ],
    [['change', 'rotated.example', '--remove-segment-key', 'plan'], '"plan" is no segment key of rotated.example'],
    [['show', 'nobody.example'], 'There is no site nobody.example'],
    [['rotate-secret', 'nobody.example'], 'There is no site nobody.example'],
    [['remove', 'nobody.example', '--yes'], 'There is no site nobody.example'],
    [['remove', 'rotated.example'], 'Nothing is removed without --yes'],
  ])('%j is refused in one line', async (words, sentence) => {
    const { code, stdout, stderr } = await runInProcess(['site', ...words, '--data', server.dataDir]);
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: OF_SITE.test(sentence) ? 1 : 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(sentence);
  });
});

test.concurrent('what people read holds the secrets and the tag to paste', async () => {
  const dataDir = await makeUnservedDir();
  const { stdout } = await runCommand(['site', 'add', 'people.example', '--no-discover', '--data', dataDir]);
  expect(stdout).toContain('afterword.js" data-site="people.example"');
  expect(stdout).toMatch(/write secret {2}[A-Za-z0-9]{10}\b/);
  const list = await runCommand(['site', 'list', '--data', dataDir]);
  expect(list.stdout).toMatch(/^SITE .*\npeople\.example/);
});

test.concurrent('only the owner can open the socket', () => {
  const run = join(server.dataDir, 'run');
  expect(statSync(run).mode & 0o777).toBe(0o700);
  expect(statSync(join(run, '1', 'afterword.sock')).mode & 0o777).toBe(0o600);
});
