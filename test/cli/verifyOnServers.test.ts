// `afterword backup verify` of a backup on a disk of ClickHouse servers, where they refuse more than one thing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { sealManifest } from '../../server/cli/backup/manifest.ts';
import { VERSION } from '../../server/storage/schema/schema.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterAll(removeDataDirs);

/** As much of ClickHouse's HTTP interface as a verification needs that fails: what statements get, by how they begin. */
async function serveRefusing(refusals: Record<string, string>) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const sql = await text(request);
    asked.push(sql);
    const refused = Object.entries(refusals).find(([beginning]) => sql.startsWith(beginning));
    if (refused) return response.writeHead(500, { 'X-ClickHouse-Exception-Code': 497 }).end(refused[1]);
    if (sql.includes('currentDatabase() AS name')) return response.end('{"name":"afterword"}\n');
    if (sql.includes('system.replicas')) return response.end('{"n":0}\n');
    return response.end(sql.startsWith('SELECT 1') ? '{"1":1}\n' : '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/afterword`;
  return { url, asked, close: () => server.close().closeAllConnections() };
}

test('a backup that cannot be restored is why, also where what was begun cannot be removed', async () => {
  const folder = join(makeDataDir(), 'copy');
  mkdirSync(folder);
  const counts = { sites: 1, posts: 1, aliases: 0, events: 1, views: 1, visitors: 1 };
  const disk = { name: 'attic', path: 'afterword-2030', servers: 1 };
  const said = { afterword: 'backup', schema: VERSION, made: '2030-05-17T12:00:00.000Z', counts, disk } as const;
  writeFileSync(join(folder, 'backup.json'), sealManifest({ ...said, definitions: [{}], files: {} }));
  const { url, asked, close } = await serveRefusing({
    'RESTORE DATABASE': 'Code: 599. DB::Exception: The backup is not to be found (BACKUP_NOT_FOUND)',
    'DROP DATABASE': 'Code: 497. DB::Exception: The user may not drop databases (ACCESS_DENIED)',
  });
  const verified = await runInProcess(['backup', 'verify', folder, '--clickhouse-url', url]);
  close();
  expect(verified).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('The backup is not to be found') });
  expect(verified.stderr).not.toContain('may not drop');
  expect(asked).toContainEqual(expect.stringContaining('DROP DATABASE IF EXISTS `afterword_verify`'));
});
