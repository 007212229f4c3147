// The console in a browser whose Canadian English writes the month first, as ICU 72 has it. The Chromium of the tests
// does not: its dates are made so.
import { expect, it } from 'vitest';
import { HOUR } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:30:00Z');

describeInBrowser('a browser that writes days of Canada as 03/20/2040', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [NOW - HOUR] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('has every view, with its days', async () => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
        construct: (made, [locale, options]) => new made(locale === 'en-CA' ? 'en-US' : locale, options),
      });
    });
    await page.clock.setFixedTime(NOW);
    await page.goto(`${url}?period=today`);
    await page.getByLabel('Site ID').fill(room.site.id);
    await page.getByLabel('Secret').fill(room.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const heading = page.getByRole('heading', { level: 1 }).and(page.locator('main *:not(.looking)'));
    await expect.poll(() => heading.allInnerTexts()).toEqual([expect.stringContaining('20 March 2040')]);
    for (const view of ['lists', `post&post=${encodeURIComponent('https://paper.example/a')}`]) {
      await page.goto(`${url}?view=${view}`);
      await heading.waitFor();
    }
  });
});
