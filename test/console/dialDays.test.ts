// The days of the posts that the dials list, by the clock of the site.
import { expect, it } from 'vitest';
import { HOUR } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');

describeInBrowser('the posts beside the dials', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [NOW - HOUR] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('have the days that all other tables have, and none where they have no date', async () => {
    const write = (name: string, pubDate: number | null) =>
      room.write(`https://paper.example/${name}`, { title: name, pubDate });
    // In Berlin it is the 19th.
    await write('Late', Date.parse('2040-03-18T23:30:00Z'));
    // A date without a time is that day everywhere.
    await write('Dated', Date.parse('2040-03-17T00:00:00Z'));
    await write('Undated', null);
    await page.clock.setFixedTime(NOW);
    const site = { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret };
    await signInAt(page, `${url}?view=lists`, site);
    await settled(page);
    const listed = page.getByRole('region', { name: 'The dial' }).getByRole('listitem');
    await listed.nth(2).waitFor();
    expect((await listed.allInnerTexts()).map((text) => text.split(/\s+/).join(' ').trim())).toEqual([
      'Late 2040-03-19',
      'Dated 2040-03-17',
      'Undated',
    ]);
  });
});
