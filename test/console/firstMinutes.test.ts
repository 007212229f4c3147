// The first minutes of a day: its curves have one interval, which is to be seen.
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T00:05:00+01:00');
const VIEWS = ['19T00:01', '20T00:01', '20T00:02'].map((time) => Date.parse(`2040-03-${time}:00+01:00`));

describeInBrowser('the console in the first minutes of a day', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: VIEWS }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('draws its one hour as a point beside that of the day before, with its time', async () => {
    await page.clock.setFixedTime(NOW);
    await signInAt(page, `${url}?period=today`, {
      ...{ apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret },
    });
    await settled(page);
    const curve = page.getByRole('slider', { name: 'Views by hour' });
    await curve.locator('circle.dot').waitFor();
    expect(await curve.locator('circle.before').count()).toBe(1);
    expect(await curve.locator('svg > text').allTextContents()).toEqual(['00:00']);
  });

  it('draws its one quarter of an hour in Now', async () => {
    await page.goto(`${url}?view=now`);
    const curve = page.getByRole('slider', { name: 'Views of today by quarter of an hour' });
    await curve.locator('svg path.now').first().waitFor({ state: 'attached' });
    expect(await curve.locator('circle.dot').count()).toBe(1);
  });
});
