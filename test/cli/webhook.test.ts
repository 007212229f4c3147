// `afterword site webhook`: where winners of headline tests are sent, and the secret that signs them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await addSite(server, 'paper.example');
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const shown = async () => JSON.parse((await command('site', 'show', 'paper.example', '--json')).stdout);

test('is set with a secret that is shown once, kept by other changes and restarts, and removed', async () => {
  const { stdout } = await command('site', 'webhook', 'paper.example', 'https://cms.example.com/hook?from=lists');
  const [, secret] = /secret {2}(whsec_[\w+/]{43}=) /.exec(stdout) ?? [];
  expect(secret).toBeDefined();
  expect(stdout).toContain('are sent to https://cms.example.com/hook?from=lists.');
  expect(stdout).toContain('Alarms and the morning page go there, too, where they are on: afterword alarm show');
  await command('site', 'change', 'paper.example', '--search', 'no');
  expect(await shown()).toMatchObject({ webhook: 'https://cms.example.com/hook?from=lists' });
  const again = await command('site', 'webhook', 'paper.example', 'https://cms.example.com/hook?from=lists', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    apikey: 'paper.example',
    secret: expect.not.stringContaining(secret!),
  });
  await server.stop();
  server = await startServer({ dataDir: server.dataDir });
  const text = (await command('site', 'show', 'paper.example')).stdout;
  expect(text).toContain('webhook          https://cms.example.com/hook?from=lists\n');
  expect(text).not.toContain('whsec_');
  expect((await command('site', 'webhook', 'paper.example', 'none')).stdout).toBe(
    'Winners of headline tests and alarms are sent to no webhook. Mails are sent as before: afterword mail list paper.example\n',
  );
  expect(await shown()).toMatchObject({ webhook: null });
});

test.each([
  ['no address', 'cms'],
  ['another scheme', 'ftp://cms.example.com/'],
  ['a script', 'javascript:alert(1)'],
  ['user and password', 'https://me:word@cms.example.com/'],
  ['a huge address', `https://cms.example.com/${'x'.repeat(5000)}`],
])('refused: %s', async (_, url) => {
  const { code, stderr } = await command('site', 'webhook', 'paper.example', url);
  expect(code).toBe(2);
  expect(stderr).toContain('A webhook is an http or https address without user and password');
});
