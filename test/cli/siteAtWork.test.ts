// What an operator changes about a site counts at once, for every request to the running server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';

let server: TestServer;
let site: TestSite;
beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'work.example');
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

async function run(...words: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await runInProcess(['site', ...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

let tries = 0;
test('a key of the data of events names segments from the moment it is mapped, until it is removed', async () => {
  tries += 1;
  const { apikey: idsite, secret } = await run('add', `segments-${tries}.example`);
  const view = (eid: string) => {
    const data = { plan: 'basic', segments: 'north' };
    const events = [{ idsite, action: 'pageview', url: `https://${idsite}/`, eid, data }];
    return fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': BROWSER },
      body: JSON.stringify({ events }),
    });
  };
  const segments = async () => {
    await allStored(server);
    const { data } = await getJson(server, '/v2/analytics/segments', { apikey: idsite!, secret: secret! });
    return Object.fromEntries((data as { name: string; _hits: number }[]).map(({ name, _hits }) => [name, _hits]));
  };
  await view('before');
  expect(await segments()).toEqual({ north: 1 });
  await run('change', idsite!, '--segment-key', 'plan');
  await view('mapped');
  expect(await segments()).toEqual({ north: 2, basic: 1 });
  await run('change', idsite!, '--remove-segment-key', 'plan');
  await view('removed');
  expect(await segments()).toEqual({ north: 3, basic: 1 });
});

const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };
const read = (secret: string) => getJson(server, '/v2/analytics/posts', { apikey: site.apikey, secret });
const write = (secret: string) => {
  const metadata = { canonical_url: 'https://work.example/a', title: 'A' };
  return postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret, metadata });
};

test('each secret opens its own door only', async () => {
  expect(await read(site.secret)).toMatchObject({ success: true });
  expect(await read(site.write_secret)).toEqual(FORBIDDEN);
  expect(await write(site.write_secret)).toEqual({ data: [], success: true });
  expect(await write(site.secret)).toEqual(FORBIDDEN);
});

test('a rotated secret opens, the old one does not, and the other is left alone', async () => {
  const before = await run('rotate-secret', site.apikey, '--both');
  const { secret } = await run('rotate-secret', site.apikey);
  expect(await read(before.secret!)).toEqual(FORBIDDEN);
  expect(await read(secret!)).toMatchObject({ success: true });
  expect(await write(before.write_secret!)).toMatchObject({ success: true });
  const { write_secret } = await run('rotate-secret', site.apikey, '--write');
  expect(await write(before.write_secret!)).toEqual(FORBIDDEN);
  expect(await write(write_secret!)).toMatchObject({ success: true });
});

test('with --overlap the old one opens too, is listed, and is ended by revoke-secrets', async () => {
  const before = await run('rotate-secret', site.apikey, '--both');
  const after = await run('rotate-secret', site.apikey, '--both', '--overlap', '24h');
  expect(await read(before.secret!)).toMatchObject({ success: true });
  expect(await read(after.secret!)).toMatchObject({ success: true });
  expect(await write(before.write_secret!)).toMatchObject({ success: true });
  expect(await write(after.write_secret!)).toMatchObject({ success: true });
  const { stdout } = await runInProcess(['site', 'show', site.apikey, '--data', server.dataDir]);
  expect(stdout).toMatch(/^old secrets {6}read, until \d{4}-.*; write, until \d{4}-/m);
  expect(await run('revoke-secrets', site.apikey)).toEqual({ apikey: site.apikey, ended: 2 });
  expect(await read(before.secret!)).toEqual(FORBIDDEN);
  expect(await write(before.write_secret!)).toEqual(FORBIDDEN);
  expect(await read(after.secret!)).toMatchObject({ success: true });
});

test.each(['24', '0h', '91d', 'soon'])('--overlap %s is refused, and nothing is replaced', async (overlap) => {
  const words = ['site', 'rotate-secret', site.apikey, '--overlap', overlap, '--data', server.dataDir];
  const { code, stdout, stderr } = await runInProcess(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('such as 30m, 24h or 7d; at most 90d');
});

test.each([
  ['--top', '/v2/top/posts'],
  ['--recommendations', '/v2/related'],
  ['--search', '/v2/search'],
])('%s switches %s off and on', async (flag, path) => {
  const ask = () => getJson(server, path, { apikey: site.apikey, q: 'harbour' });
  expect(await ask()).toMatchObject({ success: true });
  await run('change', site.apikey, flag, 'no');
  expect(await ask()).toEqual(FORBIDDEN);
  await run('change', site.apikey, flag, 'yes');
  expect(await ask()).toMatchObject({ success: true });
});

test('a removed site answers like one that never was', async () => {
  await run('add', 'gone.example');
  await run('remove', 'gone.example', '--yes');
  expect(await getJson(server, '/v2/top/posts', { apikey: 'gone.example' })).toEqual(FORBIDDEN);
  expect(await getJson(server, '/v2/top/posts', { apikey: 'never.example' })).toEqual(FORBIDDEN);
});

test('a site that is removed and made again knows no reader of the one before', async () => {
  tries += 1;
  const apikey = `again-${tries}.example`;
  const profile = { apikey, uuid: 'reader', url: `https://${apikey}/read` };
  const history = () => getJson(server, '/v2/history', { apikey, uuid: 'reader' });
  await run('add', apikey);
  expect(await getJson(server, '/v2/profile', profile)).toEqual({ success: true });
  expect(await history()).toMatchObject({ data: { urls: [profile.url] } });
  await run('remove', apikey, '--yes');
  await run('add', apikey);
  expect(await history()).toMatchObject({ data: { uuid: 'reader', urls: [] } });
});
