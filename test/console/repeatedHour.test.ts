// The curves of a day on which clocks are set back: of the hour that comes twice, the second one has its offset from UTC.
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOON = Date.parse('2040-10-28T12:00:00+01:00');
const VIEWS = [Date.parse('2040-10-28T02:30:00+01:00')];

describeInBrowser('the curves of a day with an hour that comes twice', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOON, views: VIEWS }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('names the second one by its offset', async () => {
    await page.clock.setFixedTime(NOON);
    const site = { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret };
    await signInAt(page, `${url}?period=today`, site);
    await settled(page);
    const slider = page.getByRole('slider', { name: 'Views by hour' });
    await slider.press('Home');
    const said: (string | null)[] = [];
    for (let hour = 0; hour < 4; hour++) {
      said.push(await slider.getAttribute('aria-valuetext'));
      await slider.press('ArrowRight');
    }
    expect(said.map((text) => text?.split(': ')[0])).toEqual([
      'Sun 28 Oct, 00:00',
      'Sun 28 Oct, 01:00',
      'Sun 28 Oct, 02:00',
      'Sun 28 Oct, 02:00 (+01:00)',
    ]);
  });

  it('names its quarters of an hour by their offset in Now', async () => {
    await page.goto(`${url}?view=now`);
    const slider = page.getByRole('slider', { name: 'Views of today by quarter of an hour' });
    await slider.press('Home');
    const said: (string | null)[] = [];
    for (let quarter = 0; quarter <= 12; quarter++) {
      said.push(await slider.getAttribute('aria-valuetext'));
      await slider.press('ArrowRight');
    }
    const names = said.map((text) => text?.split(': ')[0]);
    expect(names.slice(8)).toEqual(['02:00', '02:15', '02:30', '02:45', '02:00 (+01:00)']);
  });
});
