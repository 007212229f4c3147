// Buttons of the console that wait for the server: the keyboard stays on them, and a second press changes nothing.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, signInAt } from './newsroomPage.ts';

describeInBrowser('buttons of the console that wait for the server', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'busy.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const open = (search: string) =>
    signInAt(page, `${server.url}/console/${search}`, { ...site, secret: site.write_secret });
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('keep the focus while a post is hidden and shown again, which is sent once', async () => {
    let sent = 0;
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v2/exclude/ignore?*', async (route) => {
      sent++;
      await held;
      await route.continue();
    });
    await open(`?view=post&post=${encodeURIComponent('http://localhost:9/bread')}`);
    await page.getByRole('button', { name: 'Hide' }).press('Enter');
    await expect.poll(() => sent).toBe(1);
    await page.keyboard.press('Enter');
    answer();
    await page.getByText('This post is hidden').waitFor();
    expect([sent, await focused()]).toEqual([1, 'Show']);
    await page.keyboard.press('Enter');
    await page.getByText('Shown again').waitFor();
    await expect.poll(focused, { timeout: 30_000 }).toBe('Hide');
  });

  it('keep the focus while an annotation is written', async () => {
    await open('?period=today');
    await page.getByText('Write what happened').click();
    await page.getByLabel('What', { exact: true }).fill('A deploy');
    await page.getByRole('button', { name: 'Write', exact: true }).press('Enter');
    await page.getByText('Written.').waitFor();
    expect(await focused()).toBe('Write');
  });
});
