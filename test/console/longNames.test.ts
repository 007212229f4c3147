// Names without a place to break, on a phone.
import { expect, it } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const WIDTH = 390;
const LONG = 'Wissenschaftsundgesellschaftspolitikberichterstattungsnachrichten';

describeInBrowser('a section and an author of one long word', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [NOW - MINUTE] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('make no page wider than the phone', async () => {
    for (const name of ['a', 'b'])
      await room.write(`https://paper.example/${name}`, { title: 'A', section: LONG, authors: [LONG] });
    await page.clock.setFixedTime(NOW);
    await page.setViewportSize({ width: WIDTH, height: 900 });
    const site = { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret };
    await signInAt(page, url, site);
    const post = `post&post=${encodeURIComponent('https://paper.example/a')}`;
    for (const view of ['traffic', 'now', post]) {
      await page.goto(`${url}?view=${view}`);
      await page.locator('main').getByText(LONG).first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([view, wide <= WIDTH]).toEqual([view, true]);
    }
  });
});
