// A site that may have so much room in the database, on a running server: beyond it its oldest days of events leave and nothing that comes
// is refused; where the last days alone need more, the operator is warned.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;
/** Each by a reader of its own, most of a page of its own: together more than a mebibyte, and well below two. */
const VIEWS = 12_000;
const DAYS = 40;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const doctor = async () => (await runCommand(['doctor', '--data', server.dataDir])).stdout;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A site whose views are spread evenly over the last days; a tenth are of one post. */
async function siteOf(name: string, days: number): Promise<TestSite> {
  const site = await addSite(server, name);
  const { apikey, write_secret: secret } = site;
  const metadata = { canonical_url: `https://${apikey}/post`, title: 'Post' };
  await postJson(server, '/v2/metadata/posts', { apikey, secret, metadata });
  const file = join(makeDataDir(), 'views.csv');
  const rows = Array.from({ length: VIEWS }, (_, n) => {
    const date = new Date(Date.now() - (n % days) * DAY_MS).toISOString();
    return `https://${apikey}/${n % 10 === 0 ? 'post' : crypto.randomUUID()},${date},${crypto.randomUUID()}`;
  });
  writeFileSync(file, ['url,date,visitor', ...rows].join('\n'));
  expect(await command('import', 'views', apikey, file)).toMatchObject({ code: 0 });
  return site;
}

async function sizeOf({ apikey }: TestSite) {
  const { stdout } = await command('site', 'size', apikey, '--json');
  return JSON.parse(stdout) as { bytes: number; max_disk: number; first: string; last: string };
}

/** Used and allowed, as Prometheus sees it. */
async function quotaOf({ apikey }: TestSite): Promise<(number | undefined)[]> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return ['used', 'limit'].map((name) => {
    const found = text
      .split('\n')
      .find((line) => line.startsWith(`afterword_site_quota_${name}{site="${apikey}",quota="disk"} `));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  });
}

/** Of the post. */
async function viewsOf({ apikey, secret }: TestSite): Promise<number> {
  const params = { apikey, secret, period_start: dayBefore(60), period_end: dayBefore(0) };
  const { data } = await getJson<{ data: { _hits: number }[] }>(server, '/v2/analytics/posts', params);
  return data.reduce((sum, { _hits }) => sum + _hits, 0);
}

async function expectTaken({ apikey: idsite }: TestSite): Promise<void> {
  const events = [{ idsite, action: 'pageview', url: `https://${idsite}/new` }];
  const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events }) };
  const answer = await fetch(`${server.url}/events`, init);
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { success: true } });
}

const removals = ({ apikey }: TestSite) =>
  server.log().filter(({ msg, site }) => site === apikey && String(msg).includes('beyond the retention of a site'));

test('beyond its room a site loses its oldest days of events, senders notice nothing, and no other site loses any', async () => {
  const site = await siteOf(`large-${crypto.randomUUID()}.example`, DAYS);
  const other = await addSite(server, `other-${crypto.randomUUID()}.example`);
  await expectTaken(other);
  await expectTaken(site);
  const before = await sizeOf(site);
  expect(before).toMatchObject({ first: dayBefore(DAYS - 1), last: dayBefore(0), max_disk: null });
  expect(before.bytes).toBeGreaterThan(1.05 * MIB);

  const { stdout } = await command('site', 'change', site.apikey, '--max-disk', '1M');
  expect(stdout).toMatch(/^disk {13}about .+ of 1\.0 MiB$/m);
  await until('the oldest days are removed', () => removals(site).length > 0);
  await expectTaken(site);
  await allStored(server);
  const after = await sizeOf(site);
  expect(after).toMatchObject({ last: dayBefore(0), max_disk: MIB });
  expect(after.bytes).toBeLessThan(1.1 * MIB);
  expect(after.first > before.first && after.first <= dayBefore(7), after.first).toBe(true);
  expect(removals(site)).toMatchObject([{ level: 'info', before: after.first }]);
  // Sums by day stay.
  expect(await viewsOf(site)).toBe(VIEWS / 10);
  const [used, limit] = await quotaOf(site);
  expect(used! / limit!).toBeGreaterThan(0.8);
  expect(used! / limit!).toBeLessThan(1.1);
  expect(limit).toBe(MIB);
  expect(await doctor()).toMatch(new RegExp(`${site.apikey} has .+ of 1\\.0 MiB on the disk`));
  expect((await command('site', 'size')).stdout).toMatch(new RegExp(`^${site.apikey}.* of 1\\.0 MiB `, 'm'));
  expect(await sizeOf(other)).toMatchObject({ first: dayBefore(0), last: dayBefore(0) });
});

test('where the last days alone need more, none is removed, events are still taken, and the operator is warned', async () => {
  const site = await siteOf(`busy-${crypto.randomUUID()}.example`, 3);
  const { bytes, first } = await sizeOf(site);
  expect(bytes).toBeGreaterThan(1.05 * MIB);
  await command('site', 'change', site.apikey, '--max-disk', '1M');
  const used = await until('its room is measured', async () => (await quotaOf(site))[0]);
  expect(used).toBeGreaterThan(MIB);
  await expectTaken(site);
  expect(await sizeOf(site)).toMatchObject({ first });
  expect(removals(site)).toEqual([]);
  expect(await doctor()).toMatch(
    new RegExp(
      `WARNING +quotas +${site.apikey} has \\S+ MiB of 1\\.0 MiB on the disk: its oldest days of events are removed, ` +
        'but for the last eight: posts and sums may need more than that\\.\n' +
        ` +→ If it may have more: afterword site change ${site.apikey} --max-disk <size>`,
    ),
  );
});
