// The back button of the browser: a view is where it was when it was left.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readCampaigns, readSitePages, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('the back button in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'back.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const top = () => page.evaluate(() => Math.round(scrollY));
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

  /** Holds the answers with figures back. @returns What lets them come. */
  async function holdFigures(): Promise<() => void> {
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/v2/analytics/**', async (route) => {
      await answered;
      await route.continue();
    });
    return answer;
  }

  it('returns to the row whose post was opened, by the keyboard as by the pointer', async () => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await signInAt(page, `${server.url}/console/`, site);
    const link = page.getByRole('link', { name: 'Of bread', exact: true });
    await link.focus();
    const before = await top();
    expect(before).toBeGreaterThan(100);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Of bread', level: 1 }).waitFor();
    await settled(page);
    expect(await top()).toBe(0);
    await page.goBack();
    await expect.poll(focused, { timeout: 60_000 }).toBe('Of bread');
    await expect.poll(top).toBe(before);
  });

  it('returns to where the view was left for another one, and moves nothing once something is done', async () => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await signInAt(page, `${server.url}/console/`, site);
    const leave = async () => {
      await page.evaluate(() => scrollTo(0, 600));
      await page.getByRole('link', { name: 'Set-up', exact: true }).dispatchEvent('click');
      await page.getByRole('heading', { name: 'Set-up', level: 1 }).waitFor();
      await page.goBack();
    };
    await leave();
    await expect.poll(top, { timeout: 60_000 }).toBe(600);
    await settled(page);
    expect(await top()).toBe(600);
    const answer = await holdFigures();
    await leave();
    await page.locator('.panel.posts .ghost').first().waitFor();
    await page.keyboard.press('Tab');
    const chosen = await top();
    expect(chosen).toBeLessThan(600);
    answer();
    await settled(page);
    expect(await top()).toBe(chosen);
  });

  it('stays where the scroll bar was moved to before the figures came', async () => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await signInAt(page, `${server.url}/console/`, site);
    await page.evaluate(() => scrollTo(0, 600));
    await page.getByRole('link', { name: 'Set-up', exact: true }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'Set-up', level: 1 }).waitFor();
    const answer = await holdFigures();
    await page.goBack();
    await page.locator('.panel.posts .ghost').first().waitFor();
    await expect.poll(top).toBeGreaterThan(100);
    // Of the bar of the window a page learns by the event alone that it has scrolled.
    await page.evaluate(
      () =>
        new Promise((done) => {
          addEventListener('scroll', done, { once: true });
          scrollTo(0, 40);
        }),
    );
    answer();
    await settled(page);
    expect(await top()).toBe(40);
  });

  it('returns to as many rows of a table as were shown, and shows the first of another choice', async () => {
    await readCampaigns(server, site, 15);
    await signInAt(page, `${server.url}/console/`, site);
    const campaigns = page.getByRole('region', { name: 'Campaigns' });
    const rows = campaigns.locator('tbody tr');
    await campaigns.getByRole('button', { name: 'Show 50 Campaigns' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(15);
    const all = await rows.count();
    await page.locator('.totals').getByRole('button', { name: 'New visitors' }).click();
    await settled(page);
    expect(await rows.count()).toBe(all);
    await page.getByRole('link', { name: 'Set-up', exact: true }).click();
    await page.getByRole('heading', { name: 'Set-up', level: 1 }).waitFor();
    await page.goBack();
    await settled(page);
    expect(await rows.count()).toBe(all);
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await settled(page);
    expect(await rows.count()).toBe(10);
    await page.goBack();
    await settled(page);
    expect(await rows.count()).toBe(all);
  });
});
