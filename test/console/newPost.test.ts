// The totals of a post over days of which nothing before can be known: it was published in them.
import { expect, it } from 'vitest';
import { DAY } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const URL_OF_POST = 'https://paper.example/a';
const NOTE = 'Published in these days: there is nothing before to compare with.';

describeInBrowser('a post that was published in the period', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [30, 12, 4, 3, 0].map((days) => NOW - days * DAY) }, (one) => {
    opened = one;
  });

  it('says once that there is nothing before, and compares a later period', async () => {
    const { room, url, page } = opened;
    await room.write(URL_OF_POST, { pubDate: NOW - 12 * DAY - 60_000 });
    await page.clock.setFixedTime(NOW);
    const address = `${url}?view=post&post=${encodeURIComponent(URL_OF_POST)}`;
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    const sheet = page.getByRole('region', { name: /^Totals/ });
    const changes = () => sheet.locator('.totals .change').allInnerTexts();
    await page.goto(`${address}&period=since`);
    await settled(page);
    expect(await changes()).toEqual([]);
    expect(await sheet.getByText(NOTE).count()).toBe(1);
    expect(await sheet.locator('.key.before').count()).toBe(0);
    await page.goto(`${address}&period=28d`);
    await settled(page);
    expect([await changes(), await sheet.getByText(NOTE).count()]).toEqual([[], 1]);
    await page.goto(address);
    await settled(page);
    expect((await changes())[0]).toMatch(/▲\s*200%/);
    expect(await sheet.getByText(NOTE).count()).toBe(0);
    expect(await sheet.locator('.key.before').count()).toBe(1);
  });
});
