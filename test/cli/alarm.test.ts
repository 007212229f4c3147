// `afterword alarm` and `afterword digest`: what is set, kept and refused, and the morning page that is printed or sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SentInfo } from '../../server/cli/admin/alarms.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openReceiver, signatureOf } from '../support/webhookReceiver.ts';

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
const alarm = (...words: string[]) => command('alarm', ...words);

test('a site without a webhook has none, and the error names the command', async () => {
  const { code, stderr } = await alarm('on', 'paper.example');
  expect(code).toBe(1);
  expect(stderr).toContain('Set one first: afterword site webhook paper.example');
  expect((await alarm('show', 'paper.example')).stdout).toContain('no alarms are sent');
});

test('settings stay where they are not named, over other changes and a restart, until they are switched off', async () => {
  await command('site', 'webhook', 'paper.example', 'https://cms.example.com/hook');
  const { stdout } = await alarm('on', 'paper.example', '--quiet', '22:00-7:00', '--format', 'slack');
  expect(stdout).toContain(
    'format       slack\n  minimum      60 usual page views an hour\n  quiet hours  22:00-07:00\n',
  );
  await alarm('on', 'paper.example', '--minimum', '500', '--morning', '06:30');
  await command('site', 'change', 'paper.example', '--search', 'no');
  await server.stop();
  server = await startServer({ dataDir: server.dataDir });
  const shown = async () => JSON.parse((await alarm('show', 'paper.example', '--json')).stdout);
  const alarms = { format: 'slack', minimum: 500, quiet: '22:00-07:00', morning: '06:30' };
  const webhook = 'https://cms.example.com/hook';
  expect(await shown()).toEqual({ apikey: 'paper.example', webhook, alarms, too_few_days: null, sent: [] });
  await alarm('on', 'paper.example', '--quiet', 'none', '--morning', 'none');
  expect(await shown()).toMatchObject({ alarms: { quiet: null, morning: null } });
  expect((await alarm('off', 'paper.example')).stdout).toContain('no alarms are sent');
  expect(await shown()).toMatchObject({ alarms: null });
});

test('where events are kept for less than what is usual takes, it says that no alarm about traffic is raised', async () => {
  await command('site', 'change', 'paper.example', '--keep-events', '14');
  const warning =
    /^No alarm about traffic is raised: what is usual takes events of 22 days, and those of the site are kept for 14\./m;
  expect((await alarm('on', 'paper.example')).stdout).toMatch(warning);
  await command('site', 'change', 'paper.example', '--keep-events', '22');
  expect((await alarm('show', 'paper.example')).stdout).not.toMatch(warning);
  await command('site', 'change', 'paper.example', '--keep-events', 'none');
  await alarm('off', 'paper.example');
});

test('alarms that only go by mail are not said to go to a webhook', async () => {
  await addSite(server, 'mailed.example');
  await command('mail', 'add', 'mailed.example', 'anna@reader.example');
  const byMail =
    /^mailed\.example: the site has no webhook, so that alarms go by mail alone.*site webhook mailed\.example/;
  expect((await alarm('on', 'mailed.example', '--minimum', '500')).stdout).toMatch(byMail);
  await command('site', 'webhook', 'mailed.example', 'https://cms.example.com/hook');
  expect((await alarm('show', 'mailed.example')).stdout).toContain('alarms are sent to the webhook of the site');
  await command('site', 'webhook', 'mailed.example', 'none');
  expect((await alarm('show', 'mailed.example')).stdout).toMatch(byMail);
});

test.each([
  ['--quiet', '22:00', 2, 'Quiet hours are two times'],
  ['--quiet', '7:00-7:00', 2, 'Quiet hours are two times'],
  ['--quiet', '24:00-07:00', 2, 'Quiet hours are two times'],
  ['--morning', '7', 2, 'The morning page is sent at a time'],
  ['--minimum', '0', 2, 'a number of page views an hour'],
  ['--minimum', '-1', 2, 'a number of page views an hour'],
  ['--format', 'xml', 2, 'Allowed choices are json, slack'],
])('refused: %s %s', async (option, value, expected, says) => {
  await command('site', 'webhook', 'paper.example', 'https://cms.example.com/hook');
  const { code, stderr } = await alarm('on', 'paper.example', `${option}=${value}`);
  expect(code).toBe(expected);
  expect(stderr).toContain(says);
});

const DAY = 86_400_000;
const FERRY = 'https://paper.example/ferry';
const HOSTILE = '<img src=x onerror=alert(1)> "Ferry" \u001b[31m';

/** Views at noon of a day before today. */
const viewsOf = (daysAgo: number, views: number): string[] => {
  const day = new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
  return Array.from({ length: views }, (_, reader) => `${FERRY},${day}T12:00:00Z,reader-${daysAgo}-${reader}`);
};

test('the morning page has the figures of the API beside the usual weekday, in text and in HTML that runs nothing', async () => {
  const { apikey, secret, write_secret } = await addSite(server, 'ferry.example', '--domain', 'paper.example');
  const metadata = { canonical_url: FERRY, title: HOSTILE, section: '<b>Sea</b>' };
  await postJson(server, '/v2/metadata/posts', { apikey, secret: write_secret, metadata });
  const rows = [...viewsOf(1, 40), ...viewsOf(8, 10), ...viewsOf(15, 20), ...viewsOf(22, 30)];
  const file = join(server.dataDir, 'views.csv');
  await writeFile(file, ['url,time,visitor', ...rows].join('\n'));
  expect(await command('import', 'views', apikey, file)).toMatchObject({ code: 0 });

  const json = await command('digest', apikey, '--dry-run', '--json');
  const page = JSON.parse(json.stdout);
  const [views, visitors] = page.figures;
  expect(views).toEqual({ name: 'views', value: 40, usual: { low: 15, median: 20, high: 25 }, weeks: 3 });
  expect(visitors).toMatchObject({ value: 40, usual: { median: 20 } });
  expect(page).toMatchObject({
    weeks: 3,
    changes: expect.arrayContaining([{ of: 'section', name: '<b>Sea</b>', views: 40, usual: 20 }]),
  });
  const asked = { apikey, secret, period_start: page.day, period_end: page.day };
  const { data } = await getJson<{ data: { url: string; metrics: { views: number } }[] }>(
    server,
    '/v2/analytics/posts',
    asked,
  );
  expect(page.posts.map((post: { url: string; views: number }) => [post.url, post.views])).toEqual(
    data.map((post) => [post.url, post.metrics.views]),
  );

  const { stdout: text } = await command('digest', apikey, '--dry-run');
  expect(text).toContain('Views: 40 (+100%; usual 20, middle half 15 to 25)');
  expect(text).toContain('Read most\n  40  <img');
  expect(text).not.toContain('\u001b');
  const { stdout: html } = await command('digest', apikey, '--dry-run', '--format', 'html');
  expect(html).toMatch(new RegExp(`<a href="${FERRY}" [^>]*>&lt;img src=x`));
  expect(html).toContain('section <span dir="auto">&lt;b&gt;Sea&lt;/b&gt;</span><div');
  expect(html).toContain('40, usual 20');
  expect(html).not.toMatch(/<(?:img|script|b>Sea)/);

  for (const format of ['html', 'text'])
    expect(await command('digest', apikey, '--dry-run', '--format', format, '--json')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Give --format or --json, not both.'),
    });

  const refused = await command('digest', apikey);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('afterword mail add ferry.example') });
});

test('a running server sends what the command asks for, once, and the command says that it was taken', async () => {
  const receiver = await openReceiver();
  const sender = await startServer({ flags: ['--allow-private-crawl'] });
  const ask = (...words: string[]) => runInProcess([...words, '--data', sender.dataDir]);
  await addSite(sender, 'paper.example');
  const { stdout } = await ask('site', 'webhook', 'paper.example', `${receiver.origin}/hook`, '--json');
  await ask('alarm', 'on', 'paper.example');
  expect((await ask('digest', 'paper.example')).stdout).toContain('within half a minute');
  const shown = async () => JSON.parse((await ask('alarm', 'show', 'paper.example', '--json')).stdout);
  const taken = await until('the page is taken', async () =>
    (await shown()).sent.find((one: SentInfo) => one.receivers.some(({ state }) => state === 'taken')),
  );
  expect(taken).toMatchObject({ kind: 'digest.morning', text: expect.stringContaining('Views: 0') });
  expect((await ask('alarm', 'show', 'paper.example')).stdout).toMatch(/\d\d:\d\d UTC {2}digest\.morning/);
  expect(receiver.arrived).toHaveLength(1);
  const [message] = receiver.arrived;
  expect(message!.headers['webhook-signature']).toBe(signatureOf(message!, JSON.parse(stdout).secret));
  await sender.stop();
  const { stdout: later } = await runCommand(['digest', 'paper.example', '--data', sender.dataDir]);
  expect(later).toMatch(/^No server runs on \S+\. One sends it that is started before \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
  receiver.close();
});

test('a message to a webhook that was removed, or switched off, waits no more', async () => {
  await addSite(server, 'gone.example');
  // The server sends to no address of this machine.
  await command('site', 'webhook', 'gone.example', 'http://127.0.0.1/hook');
  await alarm('on', 'gone.example');
  await command('digest', 'gone.example');
  const shown = async () => JSON.parse((await alarm('show', 'gone.example', '--json')).stdout).sent[0].receivers[0];
  await until('the webhook was tried', async () => (await shown())?.state === 'waits');
  await alarm('off', 'gone.example');
  const left = {
    receiver: 'webhook',
    state: 'given up',
    why: expect.stringMatching(/; it gets no messages any more$/),
  };
  expect(await shown()).toMatchObject(left);
  await alarm('on', 'gone.example');
  expect(await shown()).toMatchObject({ state: 'waits' });
  await command('site', 'webhook', 'gone.example', 'none');
  expect(await shown()).toMatchObject(left);
});
