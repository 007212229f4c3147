// The line of today on a wall, in the minutes after a quarter of an hour has begun.
import { expect, it } from 'vitest';
import type { NowRecord } from '../../server/contract/now.ts';
import { HOUR, MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:07:00Z');
const VIEWS = [NOW - 2 * HOUR, NOW - HOUR, NOW - 20 * MINUTE, NOW - MINUTE];

describeInBrowser('the line of today on a wall', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: VIEWS }, (ready) => {
    opened = ready;
  });

  it('ends at the last whole quarter of an hour, without a fall after it', async () => {
    const { room, url, page } = opened;
    await page.clock.setFixedTime(NOW);
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    await page.goto(`${url}?view=wall`);
    const line = page.locator('.day path.now');
    await line.first().waitFor({ state: 'attached' });
    const { today } = (await room.ask('/analytics/now', {})).data[0] as unknown as NowRecord;
    const begun = today.filter(({ views }) => views !== null);
    expect(begun.at(-1)).toMatchObject({ views: 1, partial: true });
    const places = await line.evaluateAll((all) =>
      all.map((one) => one.getAttribute('d')!.split(/[ML]/).filter(Boolean).length),
    );
    expect(places).toEqual([begun.length - 1]);
  });
});
