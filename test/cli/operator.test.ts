// `afterword operator …` beside a running server: what it prints opens the console, and the state of the server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerRecord } from '../../server/contract/operator.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ flags: ['--access-log'] });
  await addSite(server, 'paper.example');
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

const operator = (...words: string[]) => runInProcess(['operator', ...words, '--data', server.dataDir]);
const json = async <T>(...words: string[]) => JSON.parse((await operator(...words, '--json')).stdout) as T;

/** The cookie of a session; undefined where the token opens none. */
async function signIn(token: string): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/console/operator`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return answer.headers.get('Set-Cookie')?.split(';')[0];
}

const stateFor = async (cookie: string) =>
  (await (await fetch(`${server.url}/console/operator/server`, { headers: { Cookie: cookie } })).json()) as {
    code?: number;
    data: ServerRecord;
  };

test('a token is made, replaced and revoked, each at once, and is in no log', async () => {
  expect(await json('show')).toEqual({ created: null });
  expect(await operator('revoke')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('afterword operator token'),
  });
  const printed = await operator('token');
  const first = /token +([A-Za-z0-9]{43})\n/.exec(printed.stdout)![1]!;
  expect(printed.stdout).toContain(`Sign in as the operator at ${server.url}/console/`);
  expect(await json('show')).toEqual({ created: expect.stringMatching(/^\d{4}-/) });
  const cookie = (await signIn(first))!;
  expect((await stateFor(cookie)).code).toBeUndefined();

  const { token: second, replaced } = await json<{ token: string; replaced: boolean }>('token');
  expect(replaced).toBe(true);
  expect((await stateFor(cookie)).code).toBe(403);
  expect(await signIn(first)).toBeUndefined();
  const again = (await signIn(second))!;
  expect(await json('revoke')).toEqual({ revoked: true });
  expect((await stateFor(again)).code).toBe(403);
  expect(await signIn(second)).toBeUndefined();
  const log = JSON.stringify(server.log());
  expect(log).toContain('/console/operator');
  for (const secret of [first, second, cookie.split('=')[1]!]) expect(log).not.toContain(secret);
});

test('the state of the server has what the doctor finds, in its words', async () => {
  const cookie = (await signIn((await json<{ token: string }>('token')).token))!;
  const { data } = await stateFor(cookie);
  const doctor = await runInProcess(['doctor', '--json', '--data', server.dataDir]);
  const found = JSON.parse(doctor.stdout) as ServerRecord['findings'];
  const changing = /\d+ ms|\d+\.\d GiB/g;
  const inWords = (findings: ServerRecord['findings']) =>
    findings.map(({ says, ...finding }) => ({ ...finding, says: says.replaceAll(changing, '…') }));
  // That a server runs is no question here.
  expect(inWords(data.findings)).toEqual(inWords(found.filter(({ about }) => about !== 'server')));
  expect(data).toMatchObject({
    events: 'stored',
    reads: 'database',
    problems: [],
    inside: true,
    last_backup: null,
    database: { bytes: expect.any(Number) },
    queue: { waiting: 0, events: 0, seconds: 0 },
    indexes: { sites: expect.any(Number), limit: expect.any(Number) },
  });
  expect(data.free).toBeGreaterThan(0);
});
