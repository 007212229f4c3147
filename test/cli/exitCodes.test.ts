// Exit codes of refusals: 2 for a value that is wrong whatever is stored, by the command line or by the server; 1 for one that does not
// fit what is stored.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

const SITE = 'codes.example';
const POST = `https://${SITE}/post`;

let server: TestServer;
const run = (words: readonly string[]) => runInProcess([...words, '--data', server.dataDir]);

const experiment = (name: string, slot = 'end') =>
  ['experiment', 'add', SITE, name, '--slot', slot, '--variant', 'a 50', '--variant', 'b 50 limit=3'] as const;

beforeAll(async () => {
  server = await startServer();
  const { apikey, secret, write_secret } = await addSite(server, SITE);
  const metadata = { canonical_url: POST, title: 'A post' };
  await postJson(server, '/v2/metadata/posts', { apikey, secret: write_secret ?? secret, metadata });
  for (const words of [
    experiment('first'),
    ['rules', 'set', SITE, 'front', '--rule', `pin ${POST} position=1`, '--always'],
    ['partner', 'add', 'agency'],
  ])
    expect(await run(words)).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

test.each(
  [
    ['site', 'add', SITE],
    ['partner', 'add', 'agency'],
    experiment('first', 'top'),
    experiment('second'),
    ['site', 'show', 'other.example'],
    ['experiment', 'show', SITE, 'none'],
    ['rules', 'set', SITE, 'back', '--always', '--rule', 'hide section Opinion'],
    ['rules', 'set', SITE, 'back', '--rule', 'pin https://codes.example/unknown position=1'],
    ['posts', 'show', SITE, 'https://codes.example/unknown'],
    ['site', 'change', SITE, '--remove-segment-key', 'plan'],
  ].map((words) => [words]),
)('%j does not fit what is stored, and ends with 1', async (words) => {
  expect(await run(words)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: /) });
});

test.each(
  [
    ['site', 'add', 'no domain'],
    ['site', 'show', 'no domain'],
    ['site', 'change', SITE, '--timezone', 'Mars/Base'],
    ['site', 'change', SITE, '--domain', 'a b'],
    ['site', 'change', SITE, '--referrer', 'x=fame'],
    ['site', 'change', SITE, '--mix', '2'],
    ['site', 'change', SITE, '--segment-key', 'x'.repeat(80)],
    ['site', 'rotate-secret', SITE, '--overlap', 'soon'],
    ['site', 'webhook', SITE, 'mailto:x'],
    experiment('Big Name'),
    [...experiment('second'), '--variant', 'c 50'],
    ['rules', 'set', SITE, 'Big Name', '--rule', 'hide section Opinion'],
    ['rules', 'set', SITE, 'back', '--rule', 'pin https://codes.example/post position=90'],
    ['headline', 'add', SITE, POST, '--title', '<b>x</b>'],
    ['headline', 'add', SITE, POST, '--image', 'no-url'],
    ['alarm', 'on', SITE, '--minimum', '-4'],
    ['alarm', 'on', SITE, '--quiet', 'nights'],
    ['alarm', 'on', SITE, '--morning', '25:00'],
    ['mail', 'add', SITE, 'nobody'],
    ['mail', 'add', SITE, 'anna@codes.example', '--morning', '25:00'],
    ['mail', 'test', SITE, 'nobody'],
    ['annotation', 'add', SITE, 'x'.repeat(300)],
    ['annotation', 'add', SITE, 'x', '--date', 'soon'],
    ['annotation', 'add', SITE, 'x', '--kind', '<b>'],
    ['annotation', 'add', SITE, 'x', '--url', 'no-url'],
    ['partner', 'add', 'Two Words'],
    ['posts', 'list', SITE, '--limit', '0'],
    ['series', SITE, '--days', 'many'],
    ['series', SITE, '--metrics', 'fame'],
    ['lists', SITE, '--days', 'many'],
    ['lists', SITE, '--limit', 'many'],
    ['lists', SITE, '--where', 'fame=1'],
    ['lists', SITE, '--from', 'soon'],
    ['crawl', 'ftp://codes.example/a'],
    ['crawl', SITE, '--limit', 'many'],
    ['export', 'views', SITE, '--from', 'soon'],
    ['export', 'views', SITE, '--from', '2024-05-02', '--to', '2024-05-01'],
    ['forget', '--visitor', '00000000-0000-0000-0000-000000000000'],
  ].map((words) => [words]),
)('%j is wrong by itself, and ends with 2', async (words) => {
  const { code, stdout, stderr } = await run(words);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: /) });
});
