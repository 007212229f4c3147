// `afterword lists`: how a command line that is wrong is refused, by the names of its own options.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

const SITE = 'paper.example';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await addSite(server, SITE);
});

afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

const lists = (...words: string[]) => runInProcess(['lists', SITE, ...words, '--data', server.dataDir]);

test('a site without reports has no figures', async () => {
  expect(await lists('--group', 'slot', '--days', '30')).toMatchObject({
    code: 0,
    stdout: 'Nothing was reported of lists.\n',
  });
});

test.each([
  [['--days', '0'], '--days: Give a whole number from 1 to 36500.'],
  [['--from', 'yesterday'], '--from: Give a date'],
  [['--to', '2040-13-01'], '--to: Give a date'],
  [['--days', '91'], '--days: Give a period of at most 90 days.'],
  [['--limit', 'all'], '--limit: Give a whole number from 1 to 2000.'],
  [['--group', 'post', '--sort', 'lists'], '--sort: Items have no number of lists'],
  [['--where', 'position=first'], '--where position: Give a whole number'],
  [['--where', 'slto=end'], 'There is no slto to ask lists for.'],
])('%j is a command line that is wrong', async (words, sentence) => {
  const { code, stdout, stderr } = await lists(...words);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});
