// A built server whose spool is in trouble: descriptors run out, rows are refused, bytes change while it is down. What was acknowledged is
// counted, or it says to the event what is not, and how to bring it back.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { openWriteAheadLog } from '../../server/ingest/queue/wal/writeAheadLog.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { EVENT_COLUMNS, toEventLines } from '../../server/storage/eventLine.ts';
import { silent } from '../storage/scratch.ts';
import { countViews } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

afterAll(removeDataDirs);

const SITE = 'spool.example';

/** Lines of page views as the server writes them, each of a page of its own. */
const linesOf = (name: string, views: number) => {
  const day = new Date().toISOString().slice(0, 10);
  const row = (n: number) => ({
    ...blankRow(parseSiteId(SITE)!, `https://${SITE}/${name}-${n}`),
    day,
    time: Date.now(),
  });
  return toEventLines(Array.from({ length: views }, (_, n) => row(n)));
};

/** A log that a killed server would have left in the data folder. */
async function leaveLog(spool: string, groups: readonly Buffer[]): Promise<string> {
  const journal = await openWriteAheadLog({
    dir: spool,
    columns: EVENT_COLUMNS,
    maxBytes: 1e9,
    log: silent,
    now: Date.now,
  });
  const before = readdirSync(spool);
  for (const text of groups) await journal.append({ text, events: text.toString().split('\n').length - 1 });
  await journal.close();
  return join(spool, readdirSync(spool).find((name) => !before.includes(name))!);
}

async function metric(server: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

async function command(server: TestServer, ...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, '--json', '--data', server.dataDir]);
  return { code, stderr, said: stdout === '' ? undefined : JSON.parse(stdout) };
}

const spoolFindings = async (server: TestServer) =>
  (await command(server, 'doctor')).said.filter(({ about }: { about: string }) => about === 'spool');

test('a changed byte costs its own event, which is said by the log, a metric and doctor; the rest is counted', async () => {
  let server = await startServer();
  const site = await addSite(server, SITE);
  const spool = join(server.dataDir, 'ingest', 'spool');
  await server.stop();
  const path = await leaveLog(spool, [linesOf('a', 20), linesOf('b', 20)]);
  const bytes = readFileSync(path);
  // A digit of the key, which is the last cell: no other shape, another event.
  const at = bytes.indexOf('\n', bytes.indexOf(`/a-7\t`)) - 1;
  bytes[at] = 0x78;
  writeFileSync(path, bytes);

  server = await startServer({ dataDir: server.dataDir });
  expect(await countViews(server, site)).toBe(39);
  expect(await metric(server, 'afterword_spool_damaged_events')).toBe(1);
  const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
  expect(server.log().filter(({ events, lines }) => events === 1 && lines !== undefined)).toMatchObject([
    { lines: [line], of: expect.stringMatching(/\.tsv$/) },
  ]);
  expect(await spoolFindings(server)).toMatchObject([
    { state: 'warning', says: expect.stringMatching('1 event in 1 file damaged') },
  ]);
  await server.stop();
});

test('what the database refused is listed, said at the start, tried again while the server runs and while it does not, and counted once', async () => {
  let server = await startServer();
  const site = await addSite(server, SITE);
  const spool = join(server.dataDir, 'ingest', 'spool');
  await server.stop();
  const bad = Buffer.from(linesOf('bad', 3).toString().replaceAll('\tpageview\t', '\tpagevoid\t'));
  await leaveLog(spool, [linesOf('good', 10), bad]);

  server = await startServer({ dataDir: server.dataDir });
  expect(await countViews(server, site)).toBe(10);
  expect(await metric(server, 'afterword_spool_refused_events')).toBe(3);
  const { said } = await command(server, 'spool', 'list');
  expect(said.files).toMatchObject([{ kind: 'refused', events: 3 }]);
  expect(await spoolFindings(server)).toMatchObject([{ says: expect.stringMatching('3 events in 1 file refused') }]);
  expect(await command(server, 'spool', 'retry')).toMatchObject({ code: 1, said: [{ stored: 0, refused: 3 }] });

  // As a version left them that set whole files aside for want of descriptors.
  const header = `${EVENT_COLUMNS.join('\t')}\n`;
  for (const n of [1, 2]) {
    const path = join(spool, 'refused', `00000000009${n}-old-${n}.tsv`);
    writeFileSync(path, header);
    appendFileSync(path, linesOf(`old-${n}`, 5));
  }
  const old = 'refused/000000000091-old-1.tsv';
  expect(await command(server, 'spool', 'retry', old)).toMatchObject({ code: 0, said: [{ file: old, stored: 5 }] });
  expect(await countViews(server, site)).toBe(15);
  await server.stop();

  expect(await command(server, 'spool', 'retry')).toMatchObject({
    said: [{ refused: 3 }, { file: 'refused/000000000092-old-2.tsv', stored: 5 }],
  });
  expect((await command(server, 'spool', 'list')).said.files).toHaveLength(1);
  server = await startServer({ dataDir: server.dataDir });
  expect(await countViews(server, site)).toBe(20);
  expect(server.log().find(({ msg }) => String(msg).includes('afterword spool list'))).toBeDefined();
  await server.stop();
});

test('files of a newer and of an earlier version stay in the spool, and the log, a metric and doctor name them', async () => {
  let server = await startServer();
  await server.stop();
  const spool = join(server.dataDir, 'ingest', 'spool');
  mkdirSync(spool, { recursive: true });
  writeFileSync(join(spool, '000000000001-new.tsv'), '#afterword-wal 9 00000000 site\nnobody knows');
  writeFileSync(join(spool, '000000000002-old.ndjson'), '{"site":"spool.example"}\n');
  server = await startServer({ dataDir: server.dataDir });
  expect(await metric(server, 'afterword_spool_unreadable_files')).toBe(2);
  const said = server
    .log()
    .filter(({ msg }) => msg === 'a file of the write-ahead log is not understood: it stays as it is');
  expect(said.map(({ why }) => why)).toEqual([
    expect.stringContaining('newer version'),
    expect.stringContaining('.ndjson'),
  ]);
  expect(await spoolFindings(server)).toMatchObject([{ says: expect.stringMatching('not understood') }]);
  const listed = (await runCommand(['spool', 'list', '--data', server.dataDir])).stdout;
  expect(listed).toContain('newer version');
  expect(listed).toContain('start that version on this data folder once');
  await server.stop();
  expect(readdirSync(spool)).toEqual(expect.arrayContaining(['000000000001-new.tsv', '000000000002-old.ndjson']));
});
