// The figures of the operator's page about the server, each held against a second source: files of the data folder and
// of a backup, the process, flags of the command, counts of the API, `/readyz`, and what `afterword doctor` prints.
//
// What a part of the program estimates or counts for itself alone has no second source: bytes of indexes, sites that
// load, wait for a slot or left memory, bytes of what readers read next, and senders that wait. These are compared with
// `/metrics`, which reads the same counts. On a quiet server nothing waits in the log: its figures are compared where
// they are 0.
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFigure } from '../../widget/console/figures.ts';
import { toAgo, toBytes } from '../../widget/console/operator/words.ts';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { readMetrics } from '../support/metrics.ts';
import { partsIn } from '../support/partsOnDisk.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { addReadSite, openDesktop } from './newsroomPage.ts';

const MIB = 1024 * 1024;
/** Of the memory for indexes; the rest is for what readers read next. */
const SHARE_OF_POSTS = 0.8;
const FLAGS = { 'max-spool': 64, 'index-memory': 300 };
const PATIENCE = { timeout: 100_000 };

describeInBrowser('the figures of the server', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let backup: string;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  const command = async (...words: string[]) => {
    const { stdout } = await runInProcess([...words, '--json', '--data', server.dataDir]);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    server = await startServer({ flags: Object.entries(FLAGS).flatMap(([name, mib]) => [`--${name}`, String(mib)]) });
    site = await addReadSite(server, 'read.example');
    await addSite(server, 'quiet.example');
    backup = join(makeDataDir(), 'copy');
    await command('backup', backup);
    ({ context, page } = await openDesktop(browser(), errors));
    const { token } = await command('operator', 'token');
    await page.goto(`${server.url}/console/`);
    await page.getByRole('button', { name: 'Use the operator’s token' }).click();
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Server' }).click();
    await page.locator('.tiles').waitFor();
    // Whether anyone is signed in was asked before, and refused.
    errors.length = 0;
  });
  afterAll(async () => {
    await context?.close();
    await server?.stop();
    await removeDataDirs();
  });

  /** Figures of the page as it is opened anew, by their names. */
  async function readShown(): Promise<Record<string, string>> {
    await page.reload();
    await page.locator('.tiles').waitFor();
    return await page
      .locator('.tiles section')
      .evaluateAll((tiles) =>
        Object.fromEntries(
          tiles.flatMap((tile) =>
            [...tile.querySelectorAll('dl > div')].map((row) => [
              `${tile.getAttribute('aria-label')}: ${row.querySelector('dt')?.textContent}`,
              row.querySelector('dd')?.textContent ?? '',
            ]),
          ),
        ),
      );
  }

  /** Bytes of the files below a folder, and their number. */
  function filesIn(folder: string): { files: number; bytes: number } {
    if (!existsSync(folder)) return { files: 0, bytes: 0 };
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = found.map((entry) => readFileSync(join(entry.parentPath, entry.name)).length);
    return { files: found.length, bytes: bytes.reduce((sum, one) => sum + one, 0) };
  }

  /** The same figures by their second sources. */
  async function readKnown(): Promise<Record<string, string>> {
    const metrics = await readMetrics(server);
    const metric = (name: string) => metrics.get(`afterword_${name}`)!;
    const ready = await getJson(server, '/readyz');
    const log = filesIn(join(server.dataDir, 'spool'));
    const database = partsIn(join(server.dataDir, 'engine/data/default'));
    const disk = statfsSync(server.dataDir);
    const { made } = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')) as { made: string };
    const keys = { apikey: site.apikey, secret: site.secret };
    const posts = (await getJson<{ data: object[] }>(server, '/v2/analytics/posts', keys)).data.length;
    const now = new Date().toISOString();
    return {
      'Events: Events': ready.events === 'stored' ? 'are stored' : '',
      'Events: Lists': ready.reads === 'database' ? 'come from the database' : '',
      'Events: Senders wait for': `${metric('ingest_waiting_events')} events`,
      'Events: In the write-ahead log': `${log.files} events, ${toBytes(log.bytes)}`,
      'Events: The oldest waits': log.files === 0 ? 'none' : '',
      'Events: Room of the log': toBytes(FLAGS['max-spool'] * MIB - log.bytes),
      'Database: Engine': 'ClickHouse, inside the server',
      'Database: On the disk': toBytes(database.bytes),
      'Database: Rows': toFigure(database.rows),
      'Database: Parts': toFigure(database.parts),
      'Machine: Free for the data folder': toBytes(disk.bavail * disk.bsize),
      'Machine: Last backup': toAgo(made, now),
      'Machine: Server started': toAgo(String(server.log()[0]!.time), now),
      'Indexes in memory: Sites': '1',
      'Indexes in memory: Posts': String(posts),
      'Indexes in memory: Memory': `${toBytes(metric('index_bytes'))} of ${toBytes(FLAGS['index-memory'] * SHARE_OF_POSTS * MIB)}`,
      'Indexes in memory: Loading, and waiting for a slot': `${metric('index_loading_sites')}, ${metric('index_waiting_loads')}`,
      'Indexes in memory: Left for want of memory': String(metric('index_evictions_total')),
      'Indexes in memory: What readers read next': toBytes(metric('readers_bytes')),
    };
  }

  it('are those of files, flags, the process and the API', async () => {
    await expect
      .poll(async () => {
        const { 'Machine: Memory of the server': _, ...shown } = await readShown();
        const known = await readKnown();
        const names = [...new Set([...Object.keys(shown), ...Object.keys(known)])];
        return names.map((name) => [name, shown[name], known[name]]).filter(([, one, other]) => one !== other);
      }, PATIENCE)
      .toEqual([]);
    expect(errors).toEqual([]);
  });

  it('have the memory of the process as the system counts it', async () => {
    await expect
      .poll(async () => {
        const shown = Number.parseFloat((await readShown())['Machine: Memory of the server']!);
        const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))!;
        return Math.abs(shown / (Number(kib) / 1024) - 1);
      }, PATIENCE)
      .toBeLessThan(0.05);
  });

  it('name the version of the package and of Node', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Server Afterword ${version}, Node ${process.versions.node}`,
    );
  });

  it('stand beside the findings that the doctor prints, in its words and number', async () => {
    const found = (await command('doctor')) as { about: string; state: string; says: string; remedy?: string }[];
    // That a server runs is no question here.
    const asked = found.filter(({ about }) => about !== 'server');
    const well = asked.filter(({ state }) => state === 'ok').length;
    await page.locator('summary').press('Enter');
    expect(await page.locator('summary').innerText()).toBe(`${well} checks without a finding`);
    const changing = /\d+ ms|\d+\.\d GiB/g;
    const shown = await page
      .locator('.finding')
      .evaluateAll((all) =>
        all.map((one) => `${one.getAttribute('data-key')}: ${one.querySelector('p')?.textContent}`),
      );
    expect(shown.map((line) => line.replaceAll(changing, '…')).sort()).toEqual(
      asked.map(({ about, says, remedy = '' }) => `${about}: ${says}${remedy}`.replaceAll(changing, '…')).sort(),
    );
    expect(errors).toEqual([]);
  });
});
