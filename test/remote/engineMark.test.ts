// A data folder belongs to one database: a start, or a command, that names another one is refused before anything is written.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { addSite, allStored, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { emptyDatabases, view } from './journey.ts';

let clickhouse: ClickHouse;

beforeAll(async () => {
  clickhouse = await startClickHouse(makeDataDir());
});
afterAll(async () => {
  await clickhouse.kill();
  await removeDataDirs();
});

const database = (name: string) => clickhouse.url.replace(/\/afterword$/, `/${name}`);
const waiting = (dataDir: string) =>
  readdirSync(join(dataDir, 'ingest', 'spool')).filter((name) => name.endsWith('.tsv'));

test('events that wait for a ClickHouse server are not given to another database, whatever setting is missing', async () => {
  await emptyDatabases([clickhouse]);
  await clickhouse.ask('DROP DATABASE IF EXISTS other');
  await clickhouse.ask('CREATE DATABASE other');
  const flags = ['--clickhouse-url', clickhouse.url];
  const server = await startServer({ flags });
  const { dataDir } = server;
  await addSite(server, 'journey.example');
  await clickhouse.kill();
  await Promise.all(Array.from({ length: 5 }, (_, n) => view(server, `https://journey.example/${n}`)));
  await server.stop();
  const left = waiting(dataDir);
  expect(left.length).toBeGreaterThan(0);

  // The variable is forgotten: by the server, and by commands.
  for (const words of [
    ['serve', '--port', '0'],
    ['site', 'add', 'ghost.example'],
    ['site', 'list'],
    ['backup', '/nonexistent/b'],
  ]) {
    const refused = await runCommand([...words, '--data', dataDir]);
    expect(refused, words.join(' ')).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`The data folder ${dataDir} belongs to a ClickHouse server (127.0.0.1:`);
    expect(refused.stderr).toContain('set AFTERWORD_CLICKHOUSE_URL or --clickhouse-url');
  }
  expect(existsSync(join(dataDir, 'engine'))).toBe(false);
  expect(waiting(dataDir)).toEqual(left);

  // The URL leads to another database.
  clickhouse = await clickhouse.startAgain();
  const wrong = await runCommand(['serve', '--port', '0', '--data', dataDir, '--clickhouse-url', database('other')]);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/other is an empty or a new one, not the one'),
  });
  expect(wrong.stderr).not.toContain('p@ss');
  expect(await clickhouse.ask("SELECT count() FROM system.tables WHERE database = 'other'")).toBe('0');
  expect(waiting(dataDir)).toEqual(left);

  // The right one, by another spelling of its address.
  const moved = clickhouse.url.replace('127.0.0.1', 'localhost');
  const again = await startServer({ dataDir, flags: ['--clickhouse-url', moved] });
  await allStored(again);
  await until('the events are in it', async () => (await clickhouse.ask('SELECT count() FROM events')) === '5');
  await again.stop();
});

test('a folder of the engine inside refuses a server until a flag allows it, and its secrets stay out of the mark', async () => {
  const server = await startServer();
  const { dataDir } = server;
  await server.stop();
  const flags = ['--clickhouse-url', clickhouse.url];
  const refused = await runCommand(['serve', '--port', '0', '--data', dataDir, ...flags]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to the engine inside') });
  expect(refused.stderr).toContain('--change-engine');
  const changed = await startServer({ dataDir, flags: [...flags, '--change-engine'] });
  await changed.stop();
  const mark = readFileSync(join(dataDir, 'engine.json'), 'utf8');
  expect(JSON.parse(mark)).toMatchObject({
    kind: 'remote',
    servers: [expect.stringMatching(/^127\.0\.0\.1:\d+\/afterword$/)],
  });
  expect(mark).not.toContain('p%40ss');
  const back = await runCommand(['serve', '--port', '0', '--data', dataDir]);
  expect(back).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to a ClickHouse server') });
});
