// What a site has in the database: listed by site and by table, and removed to the last row.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { silent } from '../storage/scratch.ts';
import { runCommand } from '../support/command.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const [id, views] of [
    ['large.example', 40],
    ['small.example', 3],
    ['none.example', 0],
  ] as const) {
    await addSite(server, id);
    const events = Array.from({ length: views }, (_, at) => ({
      idsite: id,
      action: 'pageview',
      url: `https://${id}/${at}`,
    }));
    await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': BROWSER },
      body: JSON.stringify({ events }),
    });
  }
  await allStored(server);
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const site = (...words: string[]) => runCommand(['site', ...words, '--data', server.dataDir]);
const json = async (...words: string[]) => JSON.parse((await site(...words, '--json')).stdout);

test('each site has its rows, bytes, and days, the largest first; one alone by table', async () => {
  const all: { site: string; rows: number; bytes: number; tables: { table: string; rows: number }[] }[] =
    await json('size');
  expect(all.map((size) => size.site)).toEqual(['large.example', 'small.example', 'none.example']);
  const today = new Date().toISOString().slice(0, 10);
  expect(all[0]).toMatchObject({ first: expect.any(String), last: today });
  expect(all[2]).toMatchObject({ tables: [{ table: 'sites', rows: 1 }], rows: 1, first: null, last: null });
  for (const { rows, bytes, tables } of all.slice(0, 2)) {
    expect(rows).toBe(tables.reduce((sum, table) => sum + table.rows, 0));
    expect(bytes).toBeGreaterThan(rows);
  }
  const { stdout } = await site('size', 'small.example');
  expect(stdout).toMatch(/^small\.example: \d+ rows, about .*, events from \S+ to \S+$/m);
  expect(stdout).toMatch(/^events +3 +\d/m);
  expect((await site('size')).stdout).toMatch(/^large\.example +40 +\d/m);
  expect(await site('size', 'nowhere.example')).toMatchObject({
    code: 1,
    stderr: 'error: The database has no row of nowhere.example.\n',
  });
});

test('list and show say when the last event came', async () => {
  const list: { apikey: string; last_event: string | null }[] = await json('list');
  const last = Object.fromEntries(list.map(({ apikey, last_event }) => [apikey, last_event]));
  expect(Date.now() - Date.parse(last['large.example']!)).toBeLessThan(600_000);
  expect(last['none.example']).toBeNull();
  expect((await site('show', 'none.example')).stdout).toMatch(/^last event {7}none$/m);
  expect((await site('show', 'small.example')).stdout).toMatch(/^last event {7}\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
});

test('removal with --purge leaves no row and says how many there were; without --yes nothing happens', async () => {
  expect(await site('remove', 'large.example', '--purge')).toMatchObject({ code: 2 });
  const purged = await json('remove', 'large.example', '--purge', '--yes');
  expect(purged).toMatchObject({ apikey: 'large.example', rows: expect.any(Number), waiting: 0 });
  expect(purged.tables).toContainEqual({ table: 'events', rows: 40 });
  expect((await json('size')).map((size: { site: string }) => size.site)).toEqual(['small.example', 'none.example']);
  expect(await site('remove', 'large.example', '--purge', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no site large.example, and no row of one.'),
  });
});

test('rows of a site that was removed before are found and purged, and others stay', async () => {
  await server.stop();
  const engine = { kind: 'embedded', path: join(server.dataDir, 'engine') } as const;
  const store = await openStore({ engine, log: silent, now: () => Date.now() });
  const time = Date.now() - 9 * 86_400_000;
  const day = new Date(time).toISOString().slice(0, 10);
  const rows = [1, 2].map((at) => ({
    ...blankRow('gone.example' as SiteId),
    time,
    day,
    url: `https://gone.example/${at}`,
  }));
  await store.events.append(rows, 'late');
  await store.close();
  expect(await json('size', 'gone.example')).toMatchObject({ site: 'gone.example', first: day, last: day });
  const { stdout } = await site('remove', 'Gone.example', '--purge', '--yes');
  expect(stdout).toMatch(/^Site gone\.example is removed: \d+ rows of \d+ tables\.\n$/);
  expect((await json('size')).map((size: { site: string }) => size.site)).toEqual(['small.example', 'none.example']);
});

test('rows that are still on their way end --purge with an error, and the next one erases them', async () => {
  server = await startServer({ dataDir: server.dataDir });
  await addSite(server, 'late.example');
  // Acknowledged one after the other: the insert of the second one is not due yet.
  for (const at of [1, 2]) {
    const events = [{ idsite: 'late.example', action: 'pageview', url: `https://late.example/${at}` }];
    const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events }) };
    expect((await fetch(`${server.url}/events`, init)).status).toBe(200);
  }
  await server.kill();
  expect(await site('remove', 'late.example', '--purge', '--yes')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Site late\.example is removed: \d+ rows? of \d+ tables?\.\n$/),
    stderr: expect.stringMatching(/^error: [12] events? of all sites are in no table yet: run this command again /),
  });
  server = await startServer({ dataDir: server.dataDir });
  await allStored(server);
  expect(await site('remove', 'late.example', '--purge', '--yes')).toMatchObject({ code: 0, stderr: '' });
});
