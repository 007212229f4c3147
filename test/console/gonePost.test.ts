// The view of a post whose page is gone, on a phone and a desktop, in light and dark.
import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { expectAccessible, settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const URL_OF_POST = 'https://paper.example/a';

describeInBrowser('a post whose page is gone', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - MINUTE, NOW - 2 * MINUTE] }, (one) => {
    opened = one;
  });

  it('says so beside its figures, which stay', async () => {
    const { room, url, page } = opened;
    const { site, secret } = room;
    await page.clock.setFixedTime(NOW);
    const address = `${url}?view=post&post=${encodeURIComponent(URL_OF_POST)}`;
    await signInAt(page, url, { apikey: site.id, secret, write_secret: room.writeSecret });
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'A' }).waitFor();
    const badge = page.getByRole('heading', { level: 1 }).getByText('Gone');
    expect(await badge.count()).toBe(0);
    await room.deps.library.write(site.id, URL_OF_POST, { patch: { goneAt: NOW - HOUR }, by: 'page' });
    await page.goto(address);
    await badge.waitFor();
    await settled(page);
    expect(await page.locator('.warned').allInnerTexts()).toEqual([
      'There has been no page at this address since 20 March 2040: lists that readers see leave the post out until it is there again. Its figures stay.',
    ]);
    expect(await page.locator('[data-total=views]').textContent()).toBe('2');
    await expectAccessible(page, 'a gone post');
  });
});
