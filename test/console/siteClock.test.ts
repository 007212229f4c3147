// Times of a post by the clock of its site, as all others of the console are; and what is said where nothing is read.
import { expect, it } from 'vitest';
import { DAY } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-24T12:00:00Z');

describeInBrowser('the console of a site of Berlin', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - 2 * DAY] }, (one) => {
    opened = one;
  });

  it.each([
    ['2040-03-20T23:30:00Z', '21 March 2040 at 00:30'],
    ['2040-03-20T00:00:00Z', '20 March 2040'],
  ])('has %s as the publication %s, as above', async (published, written) => {
    const { room, url, page } = opened;
    const post = `https://paper.example/of-${Date.parse(published)}`;
    await room.write(post, { title: 'Dated', pubDate: Date.parse(published) });
    await page.clock.setFixedTime(NOW);
    await signInAtOnce();
    await page.goto(`${url}?view=post&post=${encodeURIComponent(post)}`);
    await settled(page);
    expect(await page.locator('.metadata [data-key=pub_date] td bdi').first().innerText()).toBe(written);
    expect(written).toContain(await page.locator('.head .facts time').innerText());
  });

  it('says of sections that no post is read, where none is', async () => {
    const { url, page } = opened;
    await signInAtOnce();
    await page.goto(`${url}?view=now`);
    const sections = page.getByRole('region', { name: 'Sections' });
    await sections.waitFor();
    expect(await sections.locator('.state').innerText()).toBe('No post was read in the last five minutes.');
  });

  it('moves the focus to the address of a link that was made, which is said then', async () => {
    const { url, page } = opened;
    await signInAtOnce();
    await page.goto(url);
    await settled(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('For the board');
    await dialog.getByRole('button', { name: 'Make a link' }).press('Enter');
    const address = page.getByLabel('The link, shown this once: For the board');
    await address.waitFor();
    await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  let isIn = false;
  async function signInAtOnce(): Promise<void> {
    if (isIn) return;
    const { room, url, page } = opened;
    await signInAt(page, url, { apikey: room.site.id, secret: room.writeSecret, write_secret: room.writeSecret });
    isIn = true;
  }
});
