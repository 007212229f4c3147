// The console in the colours that an editor's system forces on all pages.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, reportList, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('the console in forced colours', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'forced.example', (opened) => {
    ({ server, site, page } = opened);
  });

  /** Whether a place looks the same without a part of the page. */
  async function isAsWithout(place: string, part: string): Promise<boolean> {
    const picture = async () => (await page.locator(place).first().screenshot()).toString('base64');
    const before = await picture();
    await page
      .locator(part)
      .first()
      .evaluate((one: HTMLElement) => {
        one.style.visibility = 'hidden';
      });
    return before === (await picture());
  }

  it('draws the interval of a click rate', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await reportList(server, site, { slot: 'end' });
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    await settled(page);
    expect(await isAsWithout('tbody .range', 'tbody .range i'), 'nothing is drawn').toBe(false);
  });

  it('shows the whole name of the largest figure', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await signInAt(page, `${server.url}/console/`, site);
    await page.goto(`${server.url}/console/?view=now`);
    await page.locator('.figure.visitors strong').waitFor();
    const [label, figure] = ['.figure.visitors .label', '.figure.visitors strong'];
    expect(await isAsWithout(label, figure), 'the figure covers its name').toBe(true);
  });
});
