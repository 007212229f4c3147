// `afterword mail` and the settings of mails: who gets what, what is refused, and what the running server sends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { type MailServer, openMailServer } from '../support/mailServer.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let mails: MailServer;
let server: TestServer;
beforeAll(async () => {
  mails = await openMailServer();
  server = await startServer({
    flags: ['--mail-from', 'Paper <stats@paper.example>', '--public-url', 'https://stats.example'],
    env: { AFTERWORD_SMTP_URL: `smtp://me:hidden-word@127.0.0.1:${mails.port}` },
  });
  await addSite(server, 'paper.example', '--timezone', 'Europe/Berlin');
});
afterAll(async () => {
  await server.stop();
  await mails.close();
  await removeDataDirs();
});

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const mail = (...words: string[]) => command('mail', ...words);

test('recipients are added, changed where something is named, listed and removed', async () => {
  expect((await mail('list', 'paper.example')).stdout).toContain('no mails are sent');
  await mail('add', 'paper.example', 'anna@Bücher.example');
  const { stdout } = await mail(
    'add',
    'paper.example',
    'ben@paper.example',
    '--gets',
    'alarms,morning',
    '--morning',
    '6:30',
    '--quiet',
    '22:00-7:00',
  );
  expect(stdout).toContain('anna@xn--bcher-kva.example  alarms, experiments, morning page at 07:00  none');
  expect(stdout).toContain('ben@paper.example           alarms, morning page at 06:30               22:00-07:00');
  await command('site', 'change', 'paper.example', '--search', 'no');
  await mail('add', 'paper.example', 'BEN@paper.example', '--quiet', 'none', '--gets', 'alarms');
  const { recipients, sends } = JSON.parse((await mail('list', 'paper.example', '--json')).stdout);
  expect(sends).toBe(true);
  expect(recipients).toEqual([
    expect.objectContaining({ address: 'anna@xn--bcher-kva.example', unsubscribed: null }),
    { address: 'BEN@paper.example', gets: ['alarms'], morning: null, quiet: null, unsubscribed: null },
  ]);
  await mail('remove', 'paper.example', 'ben@paper.example');
  const removed = await mail('remove', 'paper.example', 'ben@paper.example');
  expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining('is no recipient of paper.example') });
  expect((await mail('remove', 'paper.example', 'anna@bücher.example')).stdout).toContain('no mails are sent');
});

test.each([
  ['Anna <anna@paper.example>'],
  ['anna@paper.example\r\nBcc: evil@example.com'],
  ['anna@paper.example, evil@example.com'],
  ['anna'],
  ['@paper.example'],
  ['anna@'],
  ['anna@[127.0.0.1]'],
  [`${'a'.repeat(65)}@paper.example`],
  [`anna@${'a.'.repeat(130)}example`],
])('no recipient: %j', async (address) => {
  const { code, stderr } = await mail('add', 'paper.example', address);
  expect(code).toBe(2);
  expect(stderr).toContain('A recipient is an address such as');
});

test.each([
  ['--gets', 'alarms,everything', 2, 'It takes alarms, experiments, morning'],
  ['--morning', '25:00', 2, 'The morning page is sent at a time'],
  ['--quiet', '22:00', 2, 'Quiet hours are two times'],
])('refused: %s %s', async (option, value, expected, says) => {
  const { code, stderr } = await mail('add', 'paper.example', 'anna@paper.example', `${option}=${value}`);
  expect(code).toBe(expected);
  expect(stderr).toContain(says);
});

test('a page that a command asks for comes by mail, from a site without a webhook, and alarm show says to whom', async () => {
  await mail('add', 'paper.example', 'anna@paper.example', '--gets', 'morning');
  expect((await command('digest', 'paper.example')).stdout).toContain('within half a minute');
  await until('the mail is taken', () => mails.taken.length === 1);
  const shown = async () => (await command('alarm', 'show', 'paper.example')).stdout;
  await until('it says so', async () => (await shown()).includes('anna@paper.example: taken'));
  const [sent] = mails.taken.splice(0);
  const link = /Unsubscribe: (\S+)/.exec(sent!.text)![1]!;
  const here = `${server.url}${link.slice('https://stats.example'.length)}`;
  expect((await fetch(here, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200);
  expect((await mail('list', 'paper.example')).stdout).toContain('nothing: unsubscribed on ');
  const again = await mail('add', 'paper.example', 'anna@paper.example');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--again') });
  expect((await mail('add', 'paper.example', 'anna@paper.example', '--again')).stdout).toContain('morning page at');
});

test('a test mail is sent at once, and a refusal is repeated without the password', async () => {
  expect((await mail('test', 'paper.example', 'anna@paper.example')).stdout).toContain('The mail server took it');
  const [sent] = mails.taken.splice(0);
  expect(sent!.headers.get('subject')).toEqual([expect.stringMatching(/^Test: paper\.example, /)]);
  expect(sent!.headers.get('from')).toEqual(['Paper <stats@paper.example>']);
  mails.refuse = { login: [535, 'no: hidden-word'] };
  const refused = await mail('test', 'paper.example', 'anna@paper.example');
  mails.refuse = {};
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('The mail server did not take it: ');
  expect(refused.stderr + JSON.stringify(server.log())).not.toContain('hidden-word');
});

test.each([
  [['--smtp-url', 'smtp://mail.example'], 'Mails need a sender: set --mail-from'],
  [['--smtp-url', 'smtp://mail.example', '--mail-from', 'a@b.example'], 'set --public-url'],
  [['--operator-mail', 'ops@b.example'], '--operator-mail takes a mail server'],
  [['--smtp-url', 'https://user:hidden-word@mail.example'], 'takes an smtp:// or smtps:// address'],
  [
    ['--smtp-url', 'smtp://user:hidden-word@mail.example/?tls.rejectUnauthorized=false'],
    'takes an smtp:// or smtps://',
  ],
  [['--mail-from', 'A\r\nBcc: x@y.example <a@b.example>'], '--mail-from (or AFTERWORD_MAIL_FROM) takes an address'],
  [['--operator-mail', 'ops@b.example, '], 'takes an address such as ops@example.com'],
])('the server does not start with %j', async (flags, says) => {
  const { code, stderr } = await runCommand(['serve', '--data', makeDataDir(), ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('hidden-word');
});
