// What the mix dial gives, beside the dial: measured where an editor asks for it, drawn, and chosen from; and that a
// result is that of the command, and outlives the server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FrontierRecord } from '../../server/contract/frontier.ts';
import { describeInBrowser } from '../support/browser.ts';
import { runCommand } from '../support/command.ts';
import { getJson } from '../support/http.ts';
import { onwardLog, onwardPosts, toPostLines, toViewLines } from '../support/onwardPaper.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { addReadSite, expectAccessible, openDesktop, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('what each setting of the mix dial gives', (browser) => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-'));
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    site = await addSite(server, 'paper.example');
    const now = Date.now() - 60_000;
    const bring = async (what: string, lines: readonly object[]) => {
      const file = join(folder, `${what}.ndjson`);
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      expect(await runCommand(['import', what, site.apikey, file, '--data', server.dataDir])).toMatchObject({
        code: 0,
      });
    };
    await bring('posts', toPostLines(onwardPosts(now)));
    await bring('views', toViewLines(onwardLog(now)));
    ({ context, page } = await openDesktop(browser(), errors));
    await signInAt(page, lists(), { ...site, secret: site.write_secret });
  });
  afterAll(async () => {
    await context.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const lists = () => `${server.url}/console/?view=lists`;
  const frontier = () => page.getByRole('region', { name: 'What each setting gives' });
  const picture = () => frontier().getByRole('slider');
  const slider = () => page.getByRole('region', { name: 'The dial' }).getByLabel('Page or readers');
  const record = async () =>
    (await getJson<{ data: [FrontierRecord] }>(server, '/v2/frontier', { apikey: site.apikey, secret: site.secret }))
      .data[0];

  it('says that it was never measured, and what a measurement does', async () => {
    await frontier().getByText('Not measured yet.').waitFor();
    await expectAccessible(page, 'never measured');
    await page.setViewportSize({ width: 1440, height: 1000 });
  });

  it('says how far a measurement is, asks only while the tab is shown, and draws ten settings with the recommended one', async () => {
    let asked = 0;
    let answer = 'running';
    await page.route('**/api/v2/frontier?', async (route) => {
      if (route.request().method() === 'POST' || answer === '') return route.fallback();
      asked++;
      const running = { state: 'running', started: null, progress: { done: 250, total: 1200 }, reason: null };
      await route.fulfill({ json: { data: [{ ...running, result: null }], success: true } });
    });
    await frontier().getByRole('button', { name: 'Measure it' }).press('Enter');
    await frontier().getByText('250 of 1,200 views').waitFor();
    expect(await frontier().getByRole('progressbar').getAttribute('value')).toBe('250');
    // Its beginning is announced, not each count of views; the button that was pressed is gone.
    expect(await frontier().getByRole('status').allTextContents()).toEqual(['It is being measured.']);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('What each setting gives');
    const before = asked;
    await until('it is asked again', () => asked > before + 1);
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: is });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    const whileHidden = asked;
    answer = '';
    await until('the measurement ends', async () => (await record()).state === 'measured');
    expect(asked).toBeLessThanOrEqual(whileHidden + 1);
    expect(await frontier().getByText('250 of 1,200 views').count()).toBe(1);
    await hide(false);
    await picture().waitFor();
    await page.unroute('**/api/v2/frontier?');
    const { result } = await record();
    expect(await picture().locator('[data-mix]').count()).toBe(10);
    expect(await picture().locator('circle.ring').count()).toBe(1);
    for (const sentence of result!.says) await frontier().getByText(sentence).waitFor();
    const rows = frontier().locator('tbody tr');
    await frontier().getByText('As a table').press('Enter');
    expect(await rows.locator('td:nth-child(3)').allTextContents()).toEqual(
      result!.points.map(({ mrr }) => mrr.toFixed(3)),
    );
    expect(await rows.filter({ hasText: 'recommended' }).locator('th').textContent()).toBe(
      `${result!.recommended}recommended`,
    );
  });

  it('moves the slider to the setting that is clicked, or chosen by the arrow keys, and saves it by the button', async () => {
    expect(await slider().inputValue()).toBe('0');
    const at = await picture().locator('[data-mix="0.85"]').boundingBox();
    await page.mouse.click(at!.x + at!.width / 2, at!.y + at!.height / 2);
    await until('the slider moved', async () => (await slider().inputValue()) === '0.85');
    await picture().press('ArrowLeft');
    await until('the slider moved back', async () => (await slider().inputValue()) === '0.7');
    expect(await picture().getAttribute('aria-valuetext')).toMatch(
      /^mix 0\.7: \d+% of the page’s own ten stay; MRR@20 /,
    );
    await slider().fill('0.35');
    expect(await picture().getAttribute('aria-valuenow')).toBe('0.35');
    expect(await picture().getAttribute('aria-valuetext')).toMatch(/^The nearest that was measured is mix 0\.3: /);
    const { result } = await record();
    await frontier()
      .getByRole('button', { name: `Move the slider to ${result!.recommended}` })
      .click();
    expect(Number(await slider().inputValue())).toBe(result!.recommended);
    const settings = () =>
      getJson<{ data: [{ dials: { mix: number | null } }] }>(server, '/v2/settings', {
        ...{ apikey: site.apikey, secret: site.secret },
      });
    expect((await settings()).data[0].dials.mix).toBe(null);
    await page.getByRole('button', { name: 'Save for the site' }).press('Enter');
    await page.getByText(`The site has page or readers ${result!.recommended}.`).waitFor();
    expect((await settings()).data[0].dials.mix).toBe(result!.recommended);
  });

  it('is accessible and fits at both widths, in light and dark', async () => {
    await expectAccessible(page, 'measured');
    await page.setViewportSize({ width: 1440, height: 1000 });
    expect(errors).toEqual([]);
  });

  it('has the figures of the command, also after the server was restarted, and offers no measurement to who may read', async () => {
    const { code, stdout } = await runCommand(['evaluate', site.apikey, '--json', '--data', server.dataDir]);
    expect(code).toBe(0);
    const { points, recommended, confirmed } = JSON.parse(stdout);
    const before = await record();
    expect(before.result).toMatchObject({ recommended, confirmed, posts: 192, views: 1200 });
    expect(before.result!.points.map(({ mix, kept, mrr, shown }) => [mix, kept, mrr, shown])).toEqual(
      points.map((one: Record<string, number>) => [one.mix, one.kept, one.reciprocal, one.shown]),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    expect(await record()).toEqual(before);
    await signInAt(page, lists(), site);
    await settled(page);
    await picture().waitFor();
    await frontier().getByText('To measure it, sign in with the write secret.').waitFor();
    expect(
      await frontier()
        .getByRole('button', { name: /^Measure/ })
        .count(),
    ).toBe(0);
  });

  it('says what is lacking where there are too few posts', async () => {
    const small = await addReadSite(server, 'small.example');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInAt(page, lists(), { ...small, secret: small.write_secret });
    await frontier().getByRole('button', { name: 'Measure it' }).press('Enter');
    await frontier().getByText('The site has 3 posts: at least 20 are needed, so that lists differ.').waitFor();
    expect(await picture().count()).toBe(0);
    await expectAccessible(page, 'too few');
  });
});
