// The console in a browser that is older than the name of the site's time zone.
import { expect, it } from 'vitest';
import { HOUR } from '../../server/durations.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T23:30:00Z');

describeInBrowser('a time zone that the browser does not know', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [NOW - HOUR] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('leaves every view as it is, with the days of UTC, and the page says so', async () => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
        construct(made, [locale, options]) {
          if (options?.timeZone === 'Europe/Berlin') throw new RangeError('Invalid time zone specified: Europe/Berlin');
          return new made(locale, options);
        },
      });
      for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
        const write = Date.prototype[name];
        Date.prototype[name] = function (...how: [string?, Intl.DateTimeFormatOptions?]) {
          new Intl.DateTimeFormat(...how);
          return write.apply(this, how);
        };
      }
    });
    await page.clock.setFixedTime(NOW);
    await page.goto(`${url}?period=today`);
    await page.getByLabel('Site ID').fill(room.site.id);
    await page.getByLabel('Secret').fill(room.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const note = page.getByText('This browser does not know the time zone Europe/Berlin');
    await note.waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('20 March 2040');
    expect(await axeFindings(page)).toEqual([]);
    for (const view of ['now', 'lists', 'setup', `post&post=${encodeURIComponent('https://paper.example/a')}`]) {
      await page.goto(`${url}?view=${view}`);
      await note.waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (view === 'now' || view === 'setup')
        await page
          .locator('.updated')
          .getByText(/^Updated .*\d\d:\d\d/)
          .waitFor();
    }
  });
});
