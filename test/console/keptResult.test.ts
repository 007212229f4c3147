// The result of an experiment that ended before pages measured layout shift and errors, as the console and the command
// line show it: what was known is there, the rest is said to be missing.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ComparisonRecord, ExperimentResult, Rates } from '../../server/contract/experiments.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { silent } from '../storage/scratch.ts';
import { describeInBrowser } from '../support/browser.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { getJson } from '../support/http.ts';
import { startServer, type TestServer, type TestSite } from '../support/server.ts';
import { openDesktop, signInAt } from './newsroomPage.ts';

const ID = 'kept.example';
/** As it was kept then. */
const ratesOf = (clicks: number): Rates => ({ clicks, quality_clicks: clicks / 2, views: 1.5, bounces: 0.4 });
const DECIDED: ComparisonRecord = {
  metric: 'clicks',
  difference: 0.015,
  low: 0.004,
  high: 0.026,
  p_value: 0.001,
  decided: 'better',
};
const RESULT: ExperimentResult = {
  counted: '2026-01-02T03:04:05.000Z',
  readers: 20_000,
  verdict: 'wins',
  about: 'grid',
  says: ['grid wins.', 'Give grid to all readers.'],
  sample_ratio: { wrong: false, p_value: 1 },
  variants: [
    { name: 'control', readers: 10_000, rates: ratesOf(0.03), comparisons: [] },
    { name: 'grid', readers: 10_000, rates: ratesOf(0.045), comparisons: [DECIDED] },
  ],
};

describeInBrowser('a result that was kept before pages measured anything', (browser) => {
  const dataDir = makeDataDir();
  let server: TestServer;
  let site: TestSite;

  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand([...words, '--data', dataDir]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  /** Replaces the result of the only experiment. */
  async function keep(result: ExperimentResult): Promise<void> {
    const store = await openStore({
      engine: { kind: 'embedded', path: join(dataDir, 'engine') },
      log: silent,
      now: Date.now,
    });
    const [site] = await store.sites.list();
    const experiments = site!.experiments!.map((one) => ({ ...one, result }));
    await store.sites.save({ ...site!, experiments }, Date.now());
    await store.close();
  }

  beforeAll(async () => {
    await copyEmptyDatabase(join(dataDir, 'engine'));
    site = JSON.parse(await run('site', 'add', ID, '--no-discover', '--json'));
    const variants = ['--variant', 'control 50', '--variant', 'grid 50 layout=grid'];
    await run('experiment', 'add', ID, 'grid-or-list', '--slot', 'end', ...variants);
    await run('experiment', 'stop', ID, 'grid-or-list');
    await keep(RESULT);
    server = await startServer({ dataDir });
  });
  afterAll(async () => {
    await server.stop();
    await removeDataDirs();
  });

  it('is answered as it was kept', async () => {
    const asked = { apikey: ID, secret: site.secret, name: 'grid-or-list' };
    const { data } = await getJson<{ data: object[] }>(server, '/v2/experiments', asked);
    expect(data).toMatchObject([{ state: 'stopped', result: RESULT }]);
  });

  it('is printed, and what is missing is said to be', async () => {
    const lines = (await run('experiment', 'show', ID, 'grid-or-list')).trimEnd().split('\n');
    expect(lines).toContain('grid wins.');
    expect(lines.slice(-13).map((line) => line.split(/ {2,}/))).toEqual([
      ['VARIANT', 'READERS', 'METRIC', 'RATE', 'DIFFERENCE'],
      ['control', '10,000', 'clicks a list', '3.00%'],
      ['', 'quality clicks a list', '1.50%'],
      ['', 'views a visit', '1.500'],
      ['', 'bounce rate', '40.00%'],
      ['', 'layout shift', 'not measured'],
      ['', 'errors a list', 'not measured'],
      ['grid', '10,000', 'clicks a list', '4.50%', '+1.50%, +0.40% to +2.60%: better'],
      ['', 'quality clicks a list', '2.25%'],
      ['', 'views a visit', '1.500'],
      ['', 'bounce rate', '40.00%'],
      ['', 'layout shift', 'not measured'],
      ['', 'errors a list', 'not measured'],
    ]);
  });

  it('is shown in the console, and what is missing is said to be', async () => {
    const errors: string[] = [];
    const { context, page } = await openDesktop(browser(), errors);
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    const card = page.getByRole('article', { name: 'Experiment grid-or-list' });
    await card.getByRole('button', { name: 'Result of grid-or-list' }).click();
    await card.getByText('grid wins.').waitFor();
    const shown = await card
      .locator('[data-rate]')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('data-rate'), one.textContent]));
    const missing = (name: string) => [
      [`${name} layout_shift`, 'not measured'],
      [`${name} errors`, 'not measured'],
    ];
    expect(shown).toEqual([
      ['control clicks', '3.00%'],
      ['control quality_clicks', '1.50%'],
      ['control views', '1.5'],
      ['control bounces', '40.00%'],
      ...missing('control'),
      ['grid clicks', '4.50%'],
      ['grid quality_clicks', '2.25%'],
      ['grid views', '1.5'],
      ['grid bounces', '40.00%'],
      ...missing('grid'),
    ]);
    expect(await card.textContent()).not.toMatch(/NaN|undefined/);
    expect(errors).toEqual([]);
    await context.close();
  });
});
