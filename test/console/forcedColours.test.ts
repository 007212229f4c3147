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

  it('shows that a table waits for its rows', async () => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await signInAt(page, `${server.url}/console/`, site);
    await page.route('**/api/v2/analytics/posts?*', () => {});
    await page.reload();
    await page.locator('.panel.posts .ghost').first().waitFor();
    expect(await isAsWithout('.panel.posts', '.panel.posts .ghosts'), 'nothing is drawn').toBe(false);
  });

  it('has a sign of everything that the key of a drawing names', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await signInAt(page, `${server.url}/console/`, site);
    // The site is too new for what is usual, and for a typical post.
    const drawn = await page.locator('.curve figcaption').evaluate((caption) =>
      ['half', 'band', 'point'].map((name) => {
        const key = document.createElement('span');
        key.className = `key ${name}`;
        caption.append(key);
        return getComputedStyle(key, '::before').backgroundColor;
      }),
    );
    const ground = await page
      .locator('.sheet')
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(drawn.filter((colour) => colour === ground)).toEqual([]);
  });

  it('shows which view, period and metric are chosen', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await signInAt(page, `${server.url}/console/`, site);
    const groundOf = (place: string, part?: string) =>
      page
        .locator(place)
        .first()
        .evaluate((one, its) => getComputedStyle(one, its).backgroundColor, part);
    const ofLink = await groundOf('.views a:not([aria-current])');
    expect(await groundOf('.views [aria-current]')).not.toBe(ofLink);
    const ofButton = await groundOf('.choose [aria-pressed=false]');
    expect(await groundOf('.choose [aria-pressed=true]')).not.toBe(ofButton);
    expect(await groundOf('.totals [aria-pressed=true]', '::after')).not.toBe(await groundOf('.sheet'));
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
