// Secrets from files: what the server and its commands take them from, and what they say when a file is wrong.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer } from '../support/server.ts';

afterAll(removeDataDirs);

const TOKEN = 'a-token-of-24-characters';

function secretFile(text: string, mode = 0o600, name = 'secret'): string {
  const file = join(makeDataDir(), name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** In a process of its own where it has an environment of its own. */
const run = (words: string[], env: Record<string, string> = {}) => {
  const all = ['site', 'list', '--data', makeDataDir(), ...words];
  return Object.keys(env).length > 0 ? runCommand(all, env) : runInProcess(all);
};

test('the token in a file opens /metrics, and stands neither among the arguments nor in the environment', async () => {
  const server = await startServer({ env: { AFTERWORD_METRICS_TOKEN_FILE: secretFile(`${TOKEN}\n`) } });
  const ask = (token: string) =>
    fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect([await ask(TOKEN), await ask('another-token-of-24-chars')]).toEqual([200, 404]);
  // Linux only.
  const seen = ['cmdline', 'environ'].map((name) => `/proc/${server.pid}/${name}`).filter(existsSync);
  expect(seen.map((file) => readFileSync(file, 'utf8')).join()).not.toContain(TOKEN);
  expect(await server.stop()).toBe(0);
});

const password = 'http://user:hidden-word@127.0.0.1:9/afterword';
const cases: [what: string, words: () => string[], env: () => Record<string, string>, says: RegExp][] = [
  [
    'that is missing',
    () => ['--clickhouse-url-file', '/nowhere/url'],
    () => ({}),
    /--clickhouse-url-file \(or AFTERWORD_CLICKHOUSE_URL_FILE\) names \/nowhere\/url, which does not exist\./,
  ],
  ['that is empty', () => ['--clickhouse-url-file', secretFile('\n')], () => ({}), /which is empty\./],
  ['that is a folder', () => ['--clickhouse-url-file', makeDataDir()], () => ({}), /which is a folder\./],
  [
    'that holds something else',
    () => [],
    () => ({ AFTERWORD_CLICKHOUSE_URL_FILE: secretFile('hidden-word') }),
    /takes a file that holds http:\/\/ or https:\/\/ URLs/,
  ],
  ['that is too large', () => ['--clickhouse-url-file', secretFile('x'.repeat(70_000))], () => ({}), /too large/],
  [
    'beside the flag itself',
    () => ['--clickhouse-url-file', secretFile(password), '--clickhouse-url', password],
    () => ({}),
    /--clickhouse-url and --clickhouse-url-file are both there/,
  ],
  [
    'beside the variable itself',
    () => [],
    () => ({ AFTERWORD_CLICKHOUSE_URL: password, AFTERWORD_CLICKHOUSE_URL_FILE: secretFile(password) }),
    /AFTERWORD_CLICKHOUSE_URL and AFTERWORD_CLICKHOUSE_URL_FILE are both set/,
  ],
];
test.each(cases)('a file %s is one clear error that repeats no secret', async (_, words, env, says) => {
  const { code, stderr } = await run(words(), env());
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
  expect(stderr).not.toContain('hidden-word');
});

test('a file that others can read is used, with a warning', async () => {
  const file = secretFile(password, 0o644);
  const { code, stderr } = await run(['--clickhouse-url-file', file]);
  expect(stderr).toContain(
    `warning: ${file} holds a secret and can be read by every user of this machine: chmod 600 ${file}\n`,
  );
  // The server of the file is the one that was asked.
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('error:') });
});

test.each([
  ["the paper's secret", String.raw`the paper'\''s secret`],
  ['$(reboot)', '$(reboot)'],
])('the command that is printed for %s is one that a shell takes as it is meant', async (name, quoted) => {
  const file = secretFile(password, 0o644, name);
  const { stderr } = await run(['--clickhouse-url-file', file]);
  expect(stderr).toContain(`: chmod 600 '${dirname(file)}/${quoted}'\n`);
});

test('a flag goes before the variable of a file, and an empty variable says nothing', async () => {
  const nothing = await run([], { AFTERWORD_CLICKHOUSE_URL: '', AFTERWORD_CLICKHOUSE_URL_FILE: ' ' });
  expect(nothing.stderr).toContain('There is no database in');
  const { stderr } = await run(['--clickhouse-url', password], { AFTERWORD_CLICKHOUSE_URL_FILE: '/nowhere' });
  expect(stderr).not.toContain('/nowhere');
});
