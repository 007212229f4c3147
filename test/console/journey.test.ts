// The console as a newsroom uses it: a real server, a real browser, and the API asked beside it.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { datesOf, dayIn } from '../../widget/console/periods.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { expectTruth as expectFigures } from './besideApi.ts';
import {
  addReadSite,
  expectAccessible,
  FORMULA,
  HOSTILE,
  keptIn,
  openDesktop,
  openPrefixProxy,
  settled,
  signInAt,
  tabTo,
  ZONE,
} from './newsroomPage.ts';

describeInBrowser('the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await startServer({ flags: ['--access-log'] });
    site = await addReadSite(server, 'read.example');
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    errors.length = 0;
    ({ context, page } = await openDesktop(browser(), errors));
  });
  afterEach(() => context.close());

  const expectTruth = () => expectFigures(page, { server, site });

  it('shows in every panel what the API answers, for every metric, period and filter that is chosen', async () => {
    await signInAt(page, `${server.url}/console`, site);
    const { panels, totals } = await expectTruth();
    expect(totals.views).toBe('11');
    expect(Object.values(panels).map((rows) => rows.length > 0)).toEqual(Array.from({ length: 9 }, () => true));
    // Each metric, period and filter once: a filter stays with those that follow.
    for (const [metric, period, filters] of [
      ['Engaged minutes', 'Yesterday', {}],
      ['Visitors', 'Today', { Sections: 'Food' }],
      ['New visitors', '28 days', { Authors: 'Bob', Tags: 'wheat' }],
      ['Minutes a visitor', '90 days', { Referrers: /google/, Channels: 'Website', Segments: 'members' }],
    ] as const) {
      const total = page.locator('.totals').getByRole('button', { name: new RegExp(`^${metric}`) });
      await total.click();
      await page.getByRole('button', { name: period, exact: true }).click();
      for (const [panel, name] of Object.entries(filters))
        await page.getByRole('region', { name: panel }).getByRole('button', { name }).click();
      await expectTruth();
    }
    expect(new URL(page.url()).search).toContain('author=Bob');
    expect(errors).toEqual([]);
  });

  it('says of each interval of the curve what the API says', async () => {
    await signInAt(page, `${server.url}/console/?period=7d`, site);
    const today = dayIn(ZONE, Date.now());
    const { data } = await getJson<{ data: { metrics: { views: number } }[] }>(server, '/v2/analytics/series', {
      apikey: site.apikey,
      secret: site.secret,
      period_start: datesOf('7d', { from: '', to: '' }, today).from,
    });
    const slider = page.getByRole('slider');
    await slider.press('Home');
    for (const [at, { metrics }] of data.entries()) {
      expect(await slider.getAttribute('aria-valuetext')).toContain(`: ${metrics.views}`);
      expect(await slider.getAttribute('aria-valuenow')).toBe(String(at));
      await slider.press('ArrowRight');
    }
    expect(data).toHaveLength(7);
    expect(data.at(-1)!.metrics.views).toBe(11);
  });

  it('says which tables count pages that are no posts, and that none does where posts are chosen', async () => {
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, site);
    const said = async () =>
      (await page.locator('.panel h2', { hasText: 'all pages' }).allInnerTexts()).map((text) => text.split(' ')[0]);
    expect(await said()).toEqual(['Referrers', 'Channels', 'Campaigns', 'Segments']);
    await page.locator('.panel.sections').getByRole('button', { name: 'Food', exact: true }).click();
    await expect.poll(said).toEqual([]);
  });

  it('keeps what is chosen in the address, and the back button undoes it', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    await page.getByRole('region', { name: 'Sections' }).getByRole('button', { name: 'Food' }).click();
    await page.getByRole('button', { name: '28 days' }).click();
    expect(new URL(page.url()).search).toBe('?period=28d&section=Food');
    await page.reload();
    await expectTruth();
    await page.goBack();
    await until('the period is the one before', () => new URL(page.url()).search === '?section=Food');
    await expectTruth();
    await page.getByRole('list', { name: 'Filters' }).getByRole('button').click();
    expect(new URL(page.url()).search).toBe('');
    await expectTruth();
  });

  it('filters everything by a kind of device: its views, its readers, and in its own view a post', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    const devices = page.getByRole('region', { name: 'Devices' });
    await devices.getByRole('button', { name: 'Phone' }).click();
    const { panels, totals } = await expectTruth();
    expect([totals.views, totals.visitors]).toEqual(['2', '2']);
    expect(panels.devices).toEqual([{ key: 'mobile', figures: { views: '2', share: '100.00%' } }]);
    expect(panels.referrers!.map(({ key }) => key)).toEqual(['direct']);
    expect(new URL(page.url()).search).toBe('?device=mobile');
    const chip = page.getByRole('list', { name: 'Filters' }).getByRole('button');
    expect(await chip.textContent()).toBe('Device Phone ×, take away');
    await page.getByRole('link', { name: 'Of bread', exact: true }).click();
    await page.getByRole('heading', { name: 'Of bread', level: 1 }).waitFor();
    await settled(page);
    const views = () => expect.poll(() => page.locator('[data-total=views]').textContent(), { timeout: 60_000 });
    await views().toBe('2');
    await devices.getByRole('button', { name: 'Phone' }).click();
    await views().toBe('7');
    expect(errors).toEqual([]);
  });

  it('writes hostile titles, authors, tags and campaigns as text: nothing of them runs', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    const posts = page.getByRole('region', { name: 'Posts' });
    expect(await posts.locator('.titled a:not(.page)').allTextContents()).toEqual(['Of bread', HOSTILE, FORMULA]);
    await page.getByRole('region', { name: 'Campaigns' }).getByRole('button', { name: HOSTILE }).click();
    await expectTruth();
    expect(await page.getByRole('list', { name: 'Filters' }).textContent()).toContain(HOSTILE);
    expect(await page.locator('img, #app script, #app svg [onload]').count()).toBe(0);
    expect(await page.title()).toMatch(/ · Afterword$/);
    expect(errors).toEqual([]);
  });

  it('saves a table as a file in which no text is a formula', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of Posts' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(file.suggestedFilename()).toMatch(/^read\.example-posts-[\d-]+\.csv$/);
    expect(text).toContain(`\r\n"'=HYPERLINK(""https://evil.example"",""Prize"")"`);
    expect(text.split('\r\n')[1]).toMatch(/^Of bread,http:\/\/localhost:9\/bread,,"?Ann, Bob"?,Food,"wheat, ovens",7,/);
  });

  it('works below the prefix of a proxy, and its cookie is for that folder alone', async () => {
    const proxy = await openPrefixProxy('/stats', server.url);
    try {
      await signInAt(page, `${proxy.url}/console?metric=visitors`, site);
      await expectTruth();
      expect(page.url()).toBe(`${proxy.url}/console/?metric=visitors`);
      const [cookie] = await context.cookies(`${proxy.url}/console/`);
      expect(cookie).toMatchObject({ path: '/stats/console', httpOnly: true, sameSite: 'Strict' });
      expect(await context.cookies(proxy.url)).toEqual([]);
    } finally {
      proxy.close();
    }
  });

  it('leaves no secret and no id in the address, in storage, in the page or in the log', async () => {
    await signInAt(page, `${server.url}/console/?section=Food`, site);
    const [cookie] = await context.cookies(`${server.url}/console/`);
    const { token } = (await page.evaluate(async () => (await fetch('session')).json())).data;
    const kept = await keptIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    const log = JSON.stringify(server.log());
    expect(log).toContain('/console/session');
    for (const secret of [site.secret, site.write_secret, cookie!.value, token]) {
      expect(kept).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
  });

  it('says why a sign-in fails, and asks to sign in again where the session has ended, at the same address', async () => {
    const other = await addSite(server, 'rotated.example');
    await page.goto(`${server.url}/console/?period=28d`);
    await page.getByLabel('Site ID').fill(other.apikey);
    await page.getByLabel('Secret').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Site ID and secret do not belong together.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await signInAt(page, `${server.url}/console/?period=28d`, other);
    await page.getByText('No post was read.').waitFor();
    await page.screenshot();
    expect(await axeFindings(page)).toEqual([]);
    await context.clearCookies();
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).search).toBe('?period=90d');
    await signInAt(page, `${server.url}/console/`, site);
    await context.clearCookies();
    await page.getByRole('button', { name: 'CSV of Posts' }).click();
    await page.getByText('Your session has ended.').waitFor();
  });

  it('shows no figures of another site where another tab has signed in to it', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    const other = await addSite(server, 'other.example', '--timezone', ZONE);
    const tab = await context.newPage();
    await tab.goto(`${server.url}/console/`);
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.evaluate(
      (body) => fetch('session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }),
      JSON.stringify({ site: other.apikey, secret: other.secret }),
    );
    await page.getByRole('button', { name: '28 days' }).click();
    await page.getByText(`load the page again to see ${other.apikey}`).waitFor();
    expect(await page.locator('[data-total=views]').allInnerTexts()).not.toContain('0');
    await page.reload();
    await page.getByRole('heading', { name: other.apikey }).waitFor();
    await settled(page);
    expect(await page.locator('[data-total=views]').innerText()).toBe('0');
  });

  it('is used by the keyboard alone', async () => {
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Site ID').focus();
    await page.keyboard.type(site.apikey);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.secret);
    await page.keyboard.press('Enter');
    await settled(page);
    await tabTo(page, '28 days');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Food');
    await page.keyboard.press('Enter');
    await expectTruth();
    expect(new URL(page.url()).search).toBe('?period=28d&section=Food');
    await page.getByRole('button', { name: 'Dates' }).press('Enter');
    await page.getByLabel('From', { exact: true }).fill('2026-01-02');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('Give a first day that is not after the last.').waitFor();
  });

  it.each([320, 768, 1024, 1440])('has all its views in sight, at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await signInAt(page, `${server.url}/console/`, site);
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.getByRole('link').allInnerTexts()).toEqual(['Now', 'Traffic', 'Lists', 'Set-up']);
    const [room, taken] = await views.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
    expect(taken).toBe(room);
    const [name, end] = await Promise.all([
      page.locator('.bar .site').boundingBox(),
      page.getByRole('button', { name: 'Sign out' }).boundingBox(),
    ]);
    expect(end!.y, 'the way out is beside the name of the site').toBeLessThan(name!.y + name!.height);
  });

  it('is accessible on a desktop and a phone, in light and dark, and fits them', async () => {
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Site ID').waitFor();
    await expectAccessible(page, 'sign-in');
    await signInAt(page, `${server.url}/console/?author=Bob&section=Food`, site);
    await page.getByRole('slider').press('End');
    await expectAccessible(page, 'traffic');
  });
});
