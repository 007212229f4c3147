// What the console prints: what is shown, without controls.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt, ZONE } from './newsroomPage.ts';

/** Pixels of a sheet of A4 between usual margins. */
const SHEET = 718;

const CONTROLS = [
  'Now',
  'Set-up',
  'Write what happened',
  'New experiment',
  'Archived ones, too',
  'The dial of related posts',
  'Pin it in related lists',
];

describeInBrowser('a view of the console on paper', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'paper.example', (opened) => {
    ({ server, site, page } = opened);
  });

  it('has no ways to other views, and no forms', async () => {
    await signInAt(page, `${server.url}/console/`, { ...site, secret: site.write_secret });
    const post = `?view=post&post=${encodeURIComponent('http://localhost:9/bread')}`;
    const controls = CONTROLS.map((name) => ({ name, shown: page.getByText(name, { exact: true }) }));
    const onScreen = new Set<string>();
    for (const view of ['', '?view=lists', post]) {
      await page.emulateMedia({ media: 'screen' });
      await page.goto(`${server.url}/console/${view}`);
      await settled(page);
      await page.getByText('Write what happened').waitFor();
      for (const { name, shown } of controls) if (await shown.first().isVisible()) onScreen.add(name);
      await page.emulateMedia({ media: 'print' });
      const seen = await Promise.all(controls.map(({ shown }) => shown.filter({ visible: true }).allTextContents()));
      expect([view, seen.flat()]).toEqual([view, []]);
      expect(await page.locator('main h1').isVisible()).toBe(true);
    }
    expect([...onScreen].sort()).toEqual([...CONTROLS].sort());
  });

  it('has the lines to paste, without what copies or checks them', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    await page.goto(`${server.url}/console/?view=setup`);
    const controls = ['Copy', 'Choose a layout and see it', 'Check'].map((name) =>
      page.getByText(name, { exact: true }),
    );
    for (const control of controls) await control.first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const seen = await Promise.all(controls.map((one) => one.filter({ visible: true }).allTextContents()));
    expect(seen.flat()).toEqual([]);
    expect(await page.locator('.snippet pre').first().isVisible()).toBe(true);
  });

  it('has whole names, the period, the time zone and what happened, and is as wide as the sheet', async () => {
    const annotation = { apikey: site.apikey, secret: site.write_secret, kind: 'deploy', label: 'New front page' };
    await postJson(server, '/v2/annotations', annotation);
    await signInAt(page, `${server.url}/console/`, site);
    const post = `?view=post&post=${encodeURIComponent('http://localhost:9/bread')}`;
    for (const view of ['', post, '?view=now']) {
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1440, height: 1000 });
      await page.goto(`${server.url}/console/${view}`);
      await page.locator('main table').first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: SHEET, height: 1040 });
      // Curves are drawn in the new width a frame later.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.name bdi')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
      expect([view, cut]).toEqual([view, []]);
      expect(await page.locator('.bar .zone').innerText()).toBe(ZONE);
      if (view === '?view=now') continue;
      expect(await page.getByText('New front page').filter({ visible: true }).count(), view).toBe(1);
    }
    await page.goto(`${server.url}/console/${post}`);
    const totals = page.locator('section[aria-label^="Totals,"]');
    await totals.waitFor();
    expect(await totals.evaluate((one) => getComputedStyle(one, '::before').content)).toMatch(/^"?Totals, \d+ \w+ 20/);
  });
});
