// `afterword annotation …` beside a running server, as a script that deploys calls it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doneInProcess, runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await removeDataDirs();
});

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const done = (...words: string[]) => doneInProcess([...words, '--data', server.dataDir]);

test('a deploy is written, listed, answered by the server, and removed', async () => {
  const { apikey: id, secret } = site;
  expect(await done('annotation', 'list', id)).toBe('No annotation.\n');
  expect(await done('annotation', 'add', id, 'New front page', '--kind', 'deploy', '--date', '1h')).toMatch(
    /^Annotation [0-9a-f]{12}, deploy at \d{4}-\d\d-\d\d \d\d:\d\d UTC: New front page\n$/,
  );
  const answer = await getJson<{ data: { id: string }[] }>(
    server,
    `/v2/analytics/annotations?apikey=${id}&secret=${secret}`,
  );
  expect(answer).toMatchObject({ data: [{ kind: 'deploy', label: 'New front page', url: '' }], more: 0 });
  const [{ id: annotation = '' } = {}] = answer.data;
  expect(await done('annotation', 'list', id)).toMatch(
    new RegExp(`^ANNOTATION .*\\n${annotation} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}deploy {2}New front page\\n$`),
  );
  expect(await done('annotation', 'remove', id, annotation)).toBe(
    `Annotation ${annotation} (New front page) is removed.\n`,
  );
  expect(JSON.parse(await done('annotation', 'list', id, '--json'))).toEqual([]);
});

test('a time of the site is written back as one of UTC, and says so', async () => {
  const { apikey: id } = await addSite(server, 'berlin.example', '--timezone', 'Europe/Berlin');
  expect(await done('annotation', 'add', id, 'Deploy', '--date', '2026-01-31T09:30')).toContain(
    'note at 2026-01-31 08:30 UTC: Deploy',
  );
});

test.each([
  [2, ['add', 'paper.example', 'Deploy', '--kind', 'published'], 'Give a word of lower-case letters'],
  [2, ['add', 'paper.example', 'Deploy', '--date', 'soon'], 'Give a date such as'],
  [2, ['add', 'paper.example', 'Deploy', '--date', '1066-10-14'], 'Give a date from the year 2000'],
  [2, ['add', 'paper.example', ''], '<label> is given with an empty value'],
  [1, ['add', 'none.example', 'Deploy'], 'none.example'],
  [1, ['remove', 'paper.example', 'none'], 'paper.example has no annotation none.'],
])('exit code %i: %j is refused with what to do', async (code, words, says) => {
  expect(await command('annotation', ...words)).toMatchObject({ code, stderr: expect.stringContaining(says) });
});

test('a refusal is one sentence that begins with what it is about', async () => {
  expect(await command('annotation', 'add', 'paper.example', 'Deploy', '--date', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: date: Give a date such as .*\.\n$/),
  });
});
