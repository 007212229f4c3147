// A kill in the moment between the token of an insert in the engine's deduplication log and its part: what is on the
// disk then is made by hand, since the moment is a millisecond.
import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { BROWSER } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, allStored, startServer } from '../support/server.ts';
import { makeWorld } from '../support/worlds.ts';
import { migratedScratch } from './scratch.ts';

const place = await migratedScratch();
afterAll(async () => {
  place.remove();
  await removeDataDirs();
});

const site = parseSiteId('killed.example')!;
const rows = makeWorld(1).events.map((row) => ({ ...row, site }));

/** Opens the engine, as a start does, and inserts the group under its token. @returns What is stored then. */
async function insert() {
  const engine = await connect(place.engine);
  try {
    await createEventStore(engine).append(rows, 'killed');
    return await engine.rows(
      `SELECT (SELECT count() FROM events) AS events, (SELECT sum(views) FROM post_days) AS views`,
    );
  } finally {
    await engine.close();
  }
}

const logsOfTables = () =>
  readdirSync(place.engine.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^store.*deduplication_log_\d+\.txt$/.test(name),
  );

/** Removes the parts that were rewritten, as the engine does eight minutes later. @returns How many there were. */
function removeRewritten(): number {
  const tables = new Set(logsOfTables().map((log) => join(place.engine.path, log, '../..')));
  const rewritten = [...tables].flatMap((table) => {
    const names = readdirSync(table);
    return names.flatMap((name) => (names.some((other) => other.startsWith(`${name}_`)) ? [join(table, name)] : []));
  });
  for (const part of rewritten) rmSync(part, { recursive: true });
  return rewritten.length;
}

/** Removes the part that the last record of a table's log names. @returns How many were there. */
function removeLastParts(): number {
  const logs = logsOfTables();
  let removed = 0;
  for (const log of logs) {
    const [operation, part] = readFileSync(join(place.engine.path, log), 'utf8')
      .trimEnd()
      .split('\n')
      .at(-1)!
      .split('\t');
    if (operation !== '1') continue;
    // A part of its own in its partition, though perhaps rewritten since: only its level is another one.
    const table = join(place.engine.path, log, '../..');
    const names = readdirSync(table).filter((name) => name.startsWith(part!.replace(/\d+$/, '')));
    expect(names).not.toEqual([]);
    for (const name of names) rmSync(join(table, name), { recursive: true });
    removed++;
  }
  return removed;
}

test('an insert whose token the engine has, and whose part it has not, is not taken for a repeated one', async () => {
  const whole = await insert();
  expect(await insert()).toEqual(whole);
  expect(removeLastParts()).toBeGreaterThan(5);
  expect(await insert()).toEqual(whole);
  expect(await insert()).toEqual(whole);
});

test('also where another process has the id of the one that was killed, as after a start of the machine', async () => {
  const whole = await insert();
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  writeFileSync(join(place.engine.path, 'status'), `PID: ${other.pid}\nStarted at: 2026-11-28 18:00:00\n`);
  try {
    expect(removeLastParts()).toBeGreaterThan(5);
    expect(await insert()).toEqual(whole);
  } finally {
    other.kill('SIGKILL');
  }
});

test('an insert whose part was rewritten since, as where a visitor is forgotten, is recognised as a repeated one', async () => {
  const whole = await insert();
  const engine = await connect(place.engine);
  await engine.command('ALTER TABLE events UPDATE visitor = 0 WHERE visitor = {visitor:UInt64}', {
    visitor: rows[0]!.visitor,
  });
  await engine.close();
  expect(removeRewritten()).toBeGreaterThan(0);
  expect(await insert()).toEqual(whole);
});

test('the server logs once how many tokens it removed, and of which parts', async () => {
  const before = await startServer();
  const { apikey: idsite } = await addSite(before, 'killed.example');
  const events = [{ idsite, action: 'pageview', url: `https://${idsite}/` }];
  const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events }) };
  expect((await fetch(`${before.url}/events`, init)).status).toBe(200);
  await allStored(before);
  expect(await before.stop()).toBe(0);
  const { dataDir } = before;
  const logs = join(realpathSync(join(dataDir, 'engine/data/default/events')), 'deduplication_logs');
  const number = (name: string) => Number(/\d+/.exec(name));
  const [log] = readdirSync(logs).sort((one, other) => number(other) - number(one));
  appendFileSync(join(logs, log!), '1\t204001_900_900_0\t204001_of_a_killed_insert\n');

  const warnings = async () => {
    const server = await startServer({ dataDir });
    expect(await server.stop()).toBe(0);
    return server.log().filter(({ msg }) => String(msg).includes('deduplication log'));
  };
  expect(await warnings()).toEqual([
    expect.objectContaining({
      level: 'warn',
      tokens: 1,
      parts: ['204001_900_900_0'],
      msg: expect.stringMatching(/^the process was killed during an insert: .* the same rows can be inserted again$/),
    }),
  ]);
  expect(await warnings()).toEqual([]);
});
