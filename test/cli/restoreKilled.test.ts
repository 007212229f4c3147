// `afterword restore` killed at any moment: what is there afterwards is the whole database, or nothing that starts.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { until } from '../support/until.ts';

const KILLS = 3;

let backup: string;

beforeAll(async () => {
  const folder = makeDataDir();
  const dataDir = join(folder, 'data');
  await copyEmptyDatabase(join(dataDir, 'engine'));
  backup = join(folder, 'copy');
  const views = join(folder, 'views.ndjson');
  const date = new Date(Date.now() - 86_400_000).toISOString();
  const lines = Array.from({ length: 500 }, (_, n) => JSON.stringify({ url: `https://kill.example/${n}`, date }));
  writeFileSync(views, lines.join('\n'));
  for (const words of [
    ['site', 'add', 'kill.example'],
    ['import', 'views', 'kill.example', views],
    ['backup', backup],
  ]) {
    expect(await runCommand([...words, '--data', dataDir])).toMatchObject({ code: 0 });
  }
});
afterAll(removeDataDirs);

test('killed at any moment, it leaves nothing that starts, and the next restore makes it whole', async () => {
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const dataDir = join(makeDataDir(), 'data');
    const engine = join(dataDir, 'engine');
    const restore = await startCommand(['restore', backup, '--data', dataDir]);
    let ended = false;
    void restore.ended.then(() => {
      ended = true;
    });
    // From its first file on, a little later each time.
    await until('it has begun', () => ended || existsSync(`${engine}.restoring`));
    const later = performance.now() + kill * 60;
    await until('it is somewhere in between', () => ended || performance.now() >= later);
    restore.child.kill('SIGKILL');
    await restore.ended;

    const sites = () => runCommand(['site', 'list', '--json', '--data', dataDir]);
    if (!existsSync(engine)) {
      unfinished++;
      const refused = await sites();
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('An unfinished restore lies in') });
      const serve = await runCommand(['serve', '--port', '0', '--data', dataDir]);
      expect(serve.code).toBe(1);
      expect(serve.stdout + serve.stderr).toContain('run afterword restore again');
      expect(await runCommand(['restore', backup, '--data', dataDir])).toMatchObject({ code: 0 });
    }
    const { code, stdout } = await sites();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ apikey: 'kill.example' }]);
    expect(existsSync(`${engine}.restoring`)).toBe(false);
  }
  expect(unfinished).toBeGreaterThan(0);
});
