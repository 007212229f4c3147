// The console while an answer is on its way, and where none comes.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { datesOf, dayIn } from '../../widget/console/periods.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { expectTruth as expectFigures } from './besideApi.ts';
import { readSitePages, settled, signInAt, ZONE } from './newsroomPage.ts';

/** The question for new visitors, which take the longest to count. */
const ONLY_NEW = /metrics=visitors_new(?:,|%2C)visitors_returning&/;

describeInBrowser('the console that waits', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'waiting.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const expectTruth = () => expectFigures(page, { server, site });

  const totalsShown = () =>
    page.locator('[data-total]').evaluateAll((all) => all.map((one) => one.getAttribute('data-total')));

  it('says what failed, and tries again', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    await page.route('**/api/v2/analytics/tags**', (route) => route.abort());
    await page.getByRole('button', { name: '28 days' }).click();
    const tags = page.getByRole('region', { name: 'Tags' });
    await tags.getByText('The server did not answer.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.unroute('**/api/v2/analytics/tags**');
    await tags.getByRole('button', { name: 'Try again' }).click();
    await expectTruth();
  });

  it('gives up a question after a minute, so that those behind it have their turn', async () => {
    await page.clock.install();
    await signInAt(page, `${server.url}/console/`, site);
    const stalled = ['posts', 'sections', 'authors'];
    const asked = new Set<string>();
    await page.route(/analytics\/(?:posts|sections|authors)\?/, (route) => {
      asked.add(route.request().url().split('?')[0]!.split('/').at(-1)!);
    });
    await page.getByRole('button', { name: '28 days' }).click();
    await expect.poll(() => [...asked].sort(), { timeout: 100_000 }).toEqual([...stalled].sort());
    const tags = page.getByRole('region', { name: 'Tags' });
    expect(await tags.getAttribute('aria-busy')).toBe('true');
    await page.clock.fastForward(61_000);
    const posts = page.getByRole('region', { name: 'Posts' });
    await posts.getByText('The server did not answer.').waitFor();
    await settled(page);
    await page.unroute(/analytics\/(?:posts|sections|authors)\?/);
    for (const name of ['Posts', 'Sections', 'Authors'])
      await page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }).click();
    await expectTruth();
  });

  it('shows the view that was chosen last, whichever code comes first', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    const came = page.waitForResponse(/overview-[^/]*\.js$/);
    await page.route(/overview-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Site ID').fill(site.apikey);
    await page.getByLabel('Secret').fill(site.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Set-up' }).click();
    await page.getByRole('heading', { name: 'What to paste' }).waitFor();
    release();
    // Its code has run, and the page was drawn since.
    const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    await page.evaluate(`import(${JSON.stringify((await came).url())}).then(() => ${drawn})`);
    expect(await page.getByRole('heading', { name: 'What to paste' }).count()).toBe(1);
  });

  it('shows the other totals and the curve while new visitors are counted', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route(ONLY_NEW, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: '28 days' }).click();
    const totals = page.getByRole('region', { name: 'Totals' });
    await totals.locator('.totals .ghost').first().waitFor();
    await totals.locator('.curve[aria-busy=false]').waitFor();
    expect(await totalsShown()).toEqual(['views', 'visitors', 'engaged_minutes', 'avg_engaged']);
    expect(await axeFindings(page)).toEqual([]);
    await totals.getByRole('button', { name: 'New visitors' }).click();
    const ghost = totals.locator('.curve[aria-busy=true] .ghost');
    const [left, right] = await ghost.evaluate((shown) => {
      const [own, around] = [shown, shown.parentElement!].map((one) => one.getBoundingClientRect());
      return [own!.left - around!.left, around!.right - own!.right];
    });
    expect(right).toBeCloseTo(left!, 0);
    release();
    await expectTruth();
    expect(await totalsShown()).toContain('visitors_new');
  });

  it('keeps the other totals where new visitors cannot be counted, and counts them when it is asked to', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    await page.route(ONLY_NEW, (route) => route.abort());
    await page.getByRole('button', { name: '28 days' }).click();
    const totals = page.getByRole('region', { name: 'Totals' });
    await totals.getByText('The server did not answer.').waitFor();
    expect(await totalsShown()).toEqual(['views', 'visitors', 'engaged_minutes', 'avg_engaged']);
    expect(await axeFindings(page)).toEqual([]);
    await page.unroute(ONLY_NEW);
    await totals.getByRole('button', { name: 'Try again' }).click();
    await settled(page);
    await expectTruth();
    expect(await totalsShown()).toContain('visitors_new');
  });

  it.each([
    ['the curve', 'Totals', /metrics=views(?:,|%2C)/],
    ['Devices', 'Devices', /metrics=desktop_views/],
  ])(
    'writes no file of %s that has the name of one period and the figures of another',
    async (what, name, question) => {
      await signInAt(page, `${server.url}/console/?period=7d`, site);
      const region = page.getByRole('region', { name });
      const csv = region.getByRole('button', { name: `CSV of ${what}` });
      let release = () => {};
      const held = new Promise<void>((done) => (release = done));
      await page.route(question, async (route) => {
        await held;
        await route.continue();
      });
      let files = 0;
      page.on('download', () => files++);
      await page.getByRole('button', { name: 'Yesterday' }).click();
      await page.getByRole('button', { name: 'Yesterday', pressed: true }).waitFor();
      await csv.dispatchEvent('click');
      await page.getByRole('button', { name: '28 days' }).click();
      release();
      await settled(page);
      const file = page.waitForEvent('download');
      await csv.click();
      const { from } = datesOf('28d', { from: '', to: '' }, dayIn(ZONE, Date.now()));
      expect((await file).suggestedFilename()).toContain(from);
      expect(files).toBe(1);
    },
  );

  it('moves nothing while it waits, where less motion is asked for', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signInAt(page, `${server.url}/console/`, site);
    // It is never answered.
    await page.route('**/api/v2/analytics/tags**', () => {});
    await page.getByRole('button', { name: '28 days' }).click();
    await page.locator('.tags [aria-busy=true], .tags[aria-busy=true]').first().waitFor();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  it('asks a busy server again', async () => {
    let refused = 0;
    await page.route('**/api/v2/analytics/tags**', (route) =>
      refused++ < 2
        ? route.fulfill({ status: 503, json: { code: 503, message: 'Service Unavailable', success: false } })
        : route.continue(),
    );
    await signInAt(page, `${server.url}/console/`, site);
    await expectTruth();
    expect(refused).toBe(3);
  });
});
