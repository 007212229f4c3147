// Buttons of the console that wait for the server: the keyboard stays on them, and a second press changes nothing.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
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

  /** Counts the requests for an address, and holds them back until `answer` is called. */
  async function hold(address: string) {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const requests = { sent: 0, answer };
    await page.route(address, async (route) => {
      requests.sent++;
      await held;
      await route.continue();
    });
    return requests;
  }

  it('keep the focus while a post is hidden and shown again, which is sent once', async () => {
    const ignoring = await hold('**/api/v2/exclude/ignore?*');
    await open(`?view=post&post=${encodeURIComponent('http://localhost:9/bread')}`);
    await page.getByRole('button', { name: 'Hide' }).press('Enter');
    await expect.poll(() => ignoring.sent).toBe(1);
    await page.keyboard.press('Enter');
    ignoring.answer();
    await page.getByText('This post is hidden').waitFor();
    expect([ignoring.sent, await focused()]).toEqual([1, 'Show']);
    await page.keyboard.press('Enter');
    await page.getByText('Shown again').waitFor();
    await expect.poll(focused, { timeout: 30_000 }).toBe('Hide');
  });

  it('wait for the list that says an experiment is stopped; where it is listed no more, the keyboard is at its heading', async () => {
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    const add = { name: 'brief', slot: 'end', variants };
    await postJson(server, '/v2/experiments', { apikey: site.apikey, secret: site.write_secret, add });
    let [sent, asked] = [0, 0];
    let answer = (): void => {};
    await page.route('**/api/v2/experiments*', async (route) => {
      if (route.request().method() === 'POST') sent++;
      else if (sent === 1 && asked++ === 0)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      await route.continue();
    });
    await open('?view=lists');
    const card = page.getByRole('article', { name: 'Experiment brief' });
    await card.getByRole('button', { name: 'Stop brief' }).press('Enter');
    await card.getByRole('button', { name: 'Stop brief' }).press('Enter');
    await expect.poll(() => asked).toBe(1);
    expect(await card.getByRole('group').getByRole('button').first().getAttribute('aria-disabled')).toBe('true');
    answer();
    await card.getByRole('button', { name: 'Archive brief' }).press('Enter');
    await card.getByRole('button', { name: 'Archive brief' }).press('Enter');
    await card.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Experiments');
    expect(sent).toBe(2);
  });

  it('leave the keyboard at the dial whose setting was saved', async () => {
    await open('?view=lists');
    const dial = page.getByRole('region', { name: 'The dial' });
    await dial.getByRole('slider').first().press('ArrowRight');
    await dial.getByRole('button', { name: 'Save for the site' }).press('Enter');
    await dial.getByText('The site has page or readers').waitFor();
    expect(await focused()).toBe('The dial of related posts');
    await dial.getByRole('button', { name: 'Back to the defaults' }).press('Enter');
    await dial.getByText('The site has no setting of its own.').waitFor();
    expect(await focused()).toBe('The dial of related posts');
  });

  it('remove and write again one annotation, also where each is pressed twice before the server answers', async () => {
    await postJson(server, '/v2/annotations', { apikey: site.apikey, secret: site.write_secret, label: 'A relaunch' });
    await open('?period=today');
    await page.getByText('What happened (').click();
    let sent = 0;
    const pressTwice = async (name: string) => {
      const writing = await hold('**/api/v2/annotations?*');
      await page.getByRole('button', { name }).press('Enter');
      await expect.poll(() => writing.sent).toBe(1);
      await page.keyboard.press('Enter');
      // What a press sends is sent before the page is drawn.
      await page.evaluate(() => new Promise(requestAnimationFrame));
      writing.answer();
      await page.unrouteAll({ behavior: 'wait' });
      sent += writing.sent;
    };
    const annotations = page.locator('.annotations');
    await pressTwice('Remove A relaunch');
    await annotations.getByText('Removed: A relaunch').waitFor();
    await pressTwice('Write it again');
    await annotations.getByText('Written again: A relaunch').waitFor();
    expect(sent).toBe(2);
    expect(await annotations.getByRole('alert').count()).toBe(0);
    await page.reload();
    await page.getByText('What happened (').click();
    expect(await annotations.locator('ol bdi', { hasText: 'A relaunch' }).count()).toBe(1);
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
