// The view of one post while answers are on their way.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

const BREAD = 'http://localhost:9/bread';

describeInBrowser('a post that waits', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'postwaiting.example', (opened) => {
    ({ server, site, page } = opened);
  });

  it('marks what it was shared and led to as that of the period before, as long as it is', async () => {
    await signInAt(page, `${server.url}/console/?view=post&post=${encodeURIComponent(BREAD)}`, site);
    const held: (() => Promise<void>)[] = [];
    await page.route('**/api/v2/conversions/url**', (route) => void held.push(() => route.continue()));
    await page.getByRole('button', { name: '28 days' }).click();
    await expect.poll(() => held.length, { timeout: 100_000 }).toBe(1);
    const more = page.locator('.more-totals');
    expect(await more.getAttribute('aria-busy')).toBe('true');
    await held[0]!();
    await settled(page);
    expect(await more.getAttribute('aria-busy')).toBe('false');
  });
});
