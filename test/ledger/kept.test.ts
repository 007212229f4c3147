// What pages reported of their lists, wherever data goes: through power cuts, into a backup and out of it, to a file and
// back; and out of the tables, with its reader or its site.
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { getJson, type Params } from '../support/http.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

/** How often the power goes. */
const KILLS = Number(process.env.AFTERWORD_TEST_KILLS ?? 3);
const SENDERS = 6;
const BEFORE_KILL = 40;

const ID = 'ledger.example';
const page = (name: string | number) => `https://${ID}/${name}`;

let server: TestServer;
let site: TestSite;

beforeEach(async () => {
  await awayFromMidnight();
  server = await startServer();
  site = await addSite(server, ID);
});
afterEach(() => server.stop());
afterAll(removeDataDirs);

const item = [1, '/post', 'words'];
const list = { list: 'related', slot: 'end', layout: 'list' } as const;

/** A view whose list is seen and clicked, the view that follows, and twenty seconds of reading. */
function visitOf(reader: string, number: number) {
  const ts = Date.now() - 60_000;
  const event = (at: number, more: object) => ({
    ...{ idsite: ID, ts: ts + at, eid: `${number}-${at}`, data: { parsely_site_uuid: reader } },
    ...more,
  });
  return [
    event(0, { action: 'pageview', url: page('start') }),
    event(1, {
      action: 'list',
      url: page('start'),
      lists: [{ ...list, shown: true, seen: [item] }],
    }),
    event(2, { action: 'list', url: page('start'), lists: [{ ...list, clicked: [item] }] }),
    event(3, { action: 'pageview', url: page('post') }),
    event(4, { action: 'heartbeat', url: page('post'), inc: 20 }),
  ];
}

/** @returns Whether it was acknowledged. */
async function send(events: readonly object[]): Promise<boolean> {
  const body = JSON.stringify({ events });
  const answer = await fetch(`${server.url}/events`, {
    method: 'POST',
    body,
    headers: { 'User-Agent': BROWSER },
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 200;
}

async function figures(of: { url: string } = server, more: Params = {}): Promise<Record<string, number> | undefined> {
  await allStored(of);
  const params = { apikey: ID, secret: site.secret, period_start: '2d', group: 'slot', ...more };
  const { data } = await getJson<{ data: { name: string; metrics: Record<string, number> }[] }>(
    of,
    '/v2/lists',
    params,
  );
  expect(data.length).toBeLessThan(2);
  const { lists, seen, clicks, quality_clicks, views_caused, engaged_minutes } = data[0]?.metrics ?? {};
  return data[0] && ({ lists, seen, clicks, quality_clicks, views_caused, engaged_minutes } as Record<string, number>);
}

const after = (visits: number) => ({
  ...{ lists: visits, seen: visits, clicks: visits, quality_clicks: visits, views_caused: visits },
  engaged_minutes: Math.round((visits / 3) * 1000) / 1000,
});

test(
  `through ${KILLS} power cuts no acknowledged report is lost, and none is counted twice`,
  async () => {
    const visits: { events: object[]; known: boolean }[] = [];
    const known = () => visits.filter((visit) => visit.known).length;
    const deliver = async (visit: (typeof visits)[number]) => {
      const isKnown = await send(visit.events);
      visit.known ||= isKnown;
      return isKnown;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = known() + BEFORE_KILL + ((kill * 37) % 50);
      let powered = true;
      const senders = Array.from({ length: SENDERS }, async () => {
        const next = () => {
          const visit = { events: visitOf(`reader-${visits.length}`, visits.length), known: false };
          visits.push(visit);
          return visit;
        };
        while (powered && (await deliver(next())));
      });
      try {
        await until('enough is acknowledged', () => known() >= enough);
        await server.kill();
      } finally {
        powered = false;
        await Promise.all(senders);
      }
      server = await startServer({ dataDir: server.dataDir });
      expect((await figures())!.clicks).toBeGreaterThanOrEqual(known());
    }
    expect(visits.length).toBeGreaterThan(known());
    for (const visit of [...visits.filter((one) => !one.known), ...visits.slice(-40)])
      expect(await deliver(visit)).toBe(true);
    expect(await figures()).toEqual(after(visits.length));
    // By the sums of days, and by the reports themselves.
    expect(await figures(server, { channel: 'website' })).toEqual(after(visits.length));
  },
  100_000 + KILLS * 100_000,
);

test('a backup and a file have them, and a forgotten reader is in none', async () => {
  for (const [number, reader] of ['ann', 'bob', 'bob'].entries())
    expect(await send(visitOf(reader, number))).toBe(true);
  expect(await figures()).toEqual(after(3));

  const to = join(makeDataDir(), 'backup');
  expect(await runCommand(['backup', to, '--data', server.dataDir])).toMatchObject({ code: 0 });
  const restored = makeDataDir();
  expect(await runCommand(['restore', to, '--data', restored])).toMatchObject({ code: 0 });
  const other = await startServer({ dataDir: restored });
  try {
    expect(await figures(other)).toEqual(after(3));
  } finally {
    await other.stop();
  }

  const file = join(makeDataDir(), 'views.ndjson');
  const out = await runInProcess(['export', 'views', ID, '-o', file, '--data', server.dataDir]);
  expect(out).toMatchObject({ code: 0 });
  const elsewhere = makeDataDir();
  await copyEmptyDatabase(join(elsewhere, 'engine'));
  const there = (...words: string[]) => runCommand([...words, '--data', elsewhere]);
  expect(await there('site', 'add', ID, '--json')).toMatchObject({ code: 0 });
  expect(await there('import', 'views', ID, file)).toMatchObject({ code: 0 });
  const lines = (text: string) => text.trim().split('\n').sort();
  const { stdout } = await there('export', 'views', ID);
  expect(lines(stdout)).toEqual(lines((await runInProcess(['export', 'views', ID, '--data', server.dataDir])).stdout));
  expect(lines(stdout).filter((line) => JSON.parse(line).lists?.length === 1)).toHaveLength(6);

  const forget = ['forget', '--visitor', 'bob', '--data', server.dataDir];
  expect(await runInProcess(forget)).toMatchObject({ code: 0 });
  // What was counted stays; what followed a click is known of readers only.
  expect(await figures()).toEqual({ ...after(3), quality_clicks: 1, views_caused: 1, engaged_minutes: 0.333 });
  const left = await runInProcess(['export', 'views', ID, '--data', server.dataDir]);
  const readers = lines(left.stdout).map((line) => JSON.parse(line).visitor_hash);
  expect(new Set(readers)).toEqual(new Set(['0', expect.stringMatching(/^[1-9]\d+$/)]));
});

test('a removed site leaves none behind', async () => {
  expect(await send(visitOf('ann', 1))).toBe(true);
  expect(await figures()).toEqual(after(1));
  const removed = await runInProcess(['site', 'remove', ID, '--yes', '--json', '--data', server.dataDir]);
  expect(removed).toMatchObject({ code: 0 });
  site = await addSite(server, ID);
  expect(await figures()).toBeUndefined();
});
