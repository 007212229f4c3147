// `afterword rules …` beside a running server and without one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doneInProcess, runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

const A = 'https://paper.example/a';

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example', '--timezone', 'Europe/Madrid');
  const metadata = { canonical_url: A, title: 'Ferry' };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
});
afterAll(removeDataDirs);

const command = (...words: string[]) => runInProcess(['rules', ...words, '--data', server.dataDir]);
const done = (...words: string[]) => doneInProcess(['rules', ...words, '--data', server.dataDir]);

test('a set is written, listed, shown and removed, beside the server and without it', async () => {
  expect(await done('list', site.apikey)).toBe('No rules.\n');
  expect(
    await done(
      ...['set', site.apikey, 'elections', '--always'],
      ...['--rule', `pin ${A} position=2 on-section="World news" from=2040-03-20 until=2040-03-21T18:00`],
      ...['--rule', "hide section 'Op-eds'"],
    ),
  ).toBe(`The rules elections apply to every related list of paper.example that names no other set, within a minute.
1. pins ${A} to position 2, on pages of section World news, from 2040-03-19 23:00 UTC, until 2040-03-21 17:00 UTC (waiting)
2. hides section Op-eds (in force)
`);
  const { data } = await getJson<{ data: object[] }>(server, `/v2/rules?apikey=${site.apikey}&secret=${site.secret}`);
  expect(data).toMatchObject([
    { name: 'elections', always: true, rules: [{ pin: A }, { hide: { section: 'Op-eds' } }] },
  ]);
  expect(await server.stop()).toBe(0);
  expect(await done('list', site.apikey)).toMatch(/^elections {2}every related list {2}2 rules {2}1$/m);
  expect(await done('show', site.apikey, 'elections')).toContain('2. hides section Op-eds (in force)');
  expect(await done('remove', site.apikey, 'elections')).toBe('The rules elections are removed.\n');
  expect(JSON.parse(await done('list', site.apikey, '--json'))).toEqual([]);
});

test.each([
  [
    ['set', 'paper.example', 'one', '--rule', 'boost it'],
    'It takes "pin <url>" or "hide url|section|tag|author <name>"',
  ],
  [
    ['set', 'paper.example', 'one', '--rule', `pin ${A} weight=2`],
    'A rule takes position, on-section, on-tag, from, until, not weight.',
  ],
  [
    ['set', 'paper.example', 'one', '--rule', 'pin https://paper.example/gone'],
    'no post of paper.example that is known',
  ],
  [['set', 'paper.example', 'One', '--rule', 'hide tag x'], '"One" is no name'],
  [['remove', 'paper.example', 'gone'], 'There is no rule set gone. There is none yet.'],
  [['list', 'other.example'], 'other.example'],
])('%j is refused: %s', async (words, sentence) => {
  const { code, stderr } = await command(...words);
  expect(code).not.toBe(0);
  expect(stderr).toContain(sentence);
});
