// Partners make sites for their customers: made by the command, used through HTTP, beside a running server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };

let server: TestServer;
let secret: string;

/** Runs a partner command and reads what it prints as JSON. */
async function partner<T = Record<string, string>>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await runInProcess(['partner', ...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

let tries = 0;
/** A name that is not taken, in another try of a test either. */
const unused = (name: string) => `${name}-${++tries}`;

interface Answer {
  success: boolean;
  data: Record<string, string>[];
  errors?: Record<string, string[]>;
}

const keys = (name = 'agency', given = secret) => `/api/${name}/settings/apikeys?secret=${encodeURIComponent(given)}`;
const list = (name?: string, given?: string) => getJson<Answer>(server, keys(name, given));
const make = (body: unknown, name?: string, given?: string) => postJson<Answer>(server, keys(name, given), body);

beforeAll(async () => {
  server = await startServer();
  const made = await partner('add', 'Agency');
  expect(made).toEqual({ partner: 'agency', secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/) });
  secret = made.secret!;
  expect(await list()).toEqual({ data: [], success: true });
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

test('a site made by a partner works at once: it counts, takes metadata and answers its own secret', async () => {
  const apikey = `${unused('customer')}.example`;
  const wanted = { apikey: apikey.toUpperCase(), timezone: 'europe/madrid', admin: 'a@customer.example', users: [] };
  const { data, success } = await make(wanted);
  expect(success).toBe(true);
  expect(data).toEqual([
    {
      apikey,
      timezone: 'Europe/Madrid',
      registration_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      signup_date: expect.any(String),
      track_start_date: null,
      secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      write_secret: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
    },
  ]);
  const [site] = data as [Record<string, string>];
  const asked = { apikey: site.apikey!, secret: site.secret! };
  expect(await getJson(server, '/v2/validate/secret', asked)).toEqual({ success: true });

  const metadata = { canonical_url: `https://${apikey}/a`, title: 'First' };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  const events = [{ idsite: site.apikey, action: 'pageview', url: `https://${apikey}/a` }];
  const headers = { 'User-Agent': BROWSER };
  await fetch(`${server.url}/events`, { method: 'POST', headers, body: JSON.stringify({ events }) });
  await allStored(server);
  const top = await getJson<Answer>(server, '/v2/analytics/posts', asked);
  expect(top.data).toMatchObject([{ title: 'First', _hits: 1 }]);

  const listed = (await list()).data.find((each) => each.apikey === apikey);
  expect(listed).toMatchObject({ track_start_date: expect.stringMatching(/^\d{4}-/) });
  expect(JSON.stringify(listed)).not.toMatch(/secret|hash/);
});

test('a wrong secret, another partner’s secret and an unknown partner are one answer', async () => {
  const rival = unused('rival');
  const other = await partner('add', rival);
  for (const [name, given] of [
    ['agency', 'wrong'],
    ['agency', ''],
    ['agency', other.secret!],
    ['nobody', secret],
    ['a%2Fb', secret],
  ] as const) {
    expect(await list(name, given)).toEqual(FORBIDDEN);
    expect(await make({ apikey: 'never.example' }, name, given)).toEqual(FORBIDDEN);
  }
  expect(await list(rival, other.secret)).toEqual({ data: [], success: true });
});

test('of many who ask for one name at once, one gets it, and its secret works', async () => {
  const apikey = `${unused('wanted')}.example`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => make({ apikey })));
  const made = answers.filter(({ success }) => success);
  expect(made).toHaveLength(1);
  const refused = answers.filter(({ success }) => !success);
  for (const { errors } of refused) expect(errors).toEqual({ apikey: ['There is a site of this name already.'] });
  const asked = { apikey, secret: made[0]!.data[0]!.secret! };
  expect(await getJson(server, '/v2/validate/secret', asked)).toEqual({ success: true });
});

test('a site an operator made cannot be taken over, and is not listed', async () => {
  const site = await addSite(server, `${unused('owned')}.example`);
  expect((await make({ apikey: site.apikey.toUpperCase() })).errors).toHaveProperty('apikey');
  expect((await list()).data.map(({ apikey }) => apikey)).not.toContain(site.apikey);
  expect(await getJson(server, '/v2/validate/secret', { apikey: site.apikey, secret: site.secret })).toEqual({
    success: true,
  });
});

test.each([
  [{}, ['apikey']],
  [{ apikey: 5 }, ['apikey']],
  [{ apikey: 'not a site' }, ['apikey']],
  [{ apikey: 'ok.example', timezone: "UTC'; DROP TABLE sites" }, ['timezone']],
  [{ apikey: '', timezone: 'Mars/Olympus' }, ['apikey', 'timezone']],
  [[], ['body']],
  ['text', ['body']],
  [null, ['body']],
])('%j is refused, naming %j', async (body, names) => {
  const { success, errors } = await make(body);
  expect(success).toBe(false);
  expect(Object.keys(errors ?? {})).toEqual(names);
});

test('a partner that was removed can do nothing; its sites stay; who takes the name later does not get them', async () => {
  const passing = unused('passing');
  const first = await partner('add', passing);
  const left = `${unused('left')}.example`;
  const made = await make({ apikey: left }, passing, first.secret);
  expect((await partner<{ partner: string }[]>('list')).map((each) => each.partner)).toContain(passing);
  expect(await partner('remove', '--yes', passing)).toEqual({ partner: passing, removed: true });
  expect(await list(passing, first.secret)).toEqual(FORBIDDEN);
  const asked = { apikey: left, secret: made.data[0]!.secret! };
  expect(await getJson(server, '/v2/validate/secret', asked)).toEqual({ success: true });
  const second = await partner('add', passing);
  expect(await list(passing, second.secret)).toEqual({ data: [], success: true });
});

test('a new secret opens at once what the old one opened, and the old one nothing', async () => {
  const name = unused('rotating');
  const old = (await partner('add', name)).secret!;
  await make({ apikey: `${name}.example` }, name, old);
  const made = await partner('rotate-secret', name);
  expect(made).toEqual({ partner: name, secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/) });
  expect((await list(name, made.secret)).data.map(({ apikey }) => apikey)).toEqual([`${name}.example`]);
  expect(await list(name, old)).toEqual(FORBIDDEN);
});

test('a site that was removed is no partner’s any more', async () => {
  await make({ apikey: 'gone.example' });
  await runInProcess(['site', 'remove', 'gone.example', '--yes', '--data', server.dataDir]);
  expect((await list()).data.map(({ apikey }) => apikey)).not.toContain('gone.example');
});

test.each([
  [['add', 'not a name!'], 2, 'letters, digits and hyphens'],
  [['add', 'agency'], 1, 'There is a partner agency already'],
  [['rotate-secret', 'nobody'], 1, 'There is no partner nobody'],
  [['remove', 'nobody'], 1, 'There is no partner nobody'],
])('%j is refused in one line', async (words, exitCode, sentence) => {
  const { code, stdout, stderr } = await runInProcess(['partner', ...words, '--data', server.dataDir]);
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: exitCode, stdout: '', lines: 1 });
  expect(stderr).toContain(sentence);
});

test('partners outlive a restart, and secrets are never in the log', async () => {
  expect(JSON.stringify(server.log())).not.toContain(secret);
  const { dataDir } = server;
  await server.stop();
  server = await startServer({ dataDir });
  expect((await list()).data.map(({ apikey }) => apikey)).toContain('customer-1.example');
});
