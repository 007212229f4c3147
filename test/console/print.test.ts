// What the console prints: what is shown, without controls.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

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
});
