// A post with a very long title and many authors, on a phone: figures are near, and everything can be read.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const WIDTH = 390;
const TITLE = 'What the council said, and what it did not say, '.repeat(7).slice(0, 300).trim();
const AUTHORS = Array.from({ length: 40 }, (_, at) => `Author Number ${at + 1}`);

/** Texts of elements that are cut off, by an edge or by a number of lines. */
const cutIn = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all
        .filter(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            clientWidth > 0 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 2),
        )
        .map(({ textContent }) => textContent),
    );

describeInBrowser('a post with a title of 300 characters and 40 authors', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - MINUTE] }, (one) => {
    opened = one;
  });

  it('is readable on a phone, its other authors behind a button', async () => {
    const { room, url, page } = opened;
    await room.write('https://paper.example/a', { title: TITLE, authors: AUTHORS });
    await page.clock.setFixedTime(NOW);
    await page.setViewportSize({ width: WIDTH, height: 844 });
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    for (const [view, few] of [
      ['traffic', 4],
      [`post&post=${encodeURIComponent('https://paper.example/a')}`, 6],
    ] as const) {
      await page.goto(`${url}?view=${view}`);
      await page.locator('main').getByText(TITLE).first().waitFor();
      await settled(page);
      const shown = page.locator('.facts .author');
      expect([view, await shown.count()]).toEqual([view, few]);
      await page.getByRole('button', { name: `and ${40 - few} more authors` }).click();
      expect(await shown.allInnerTexts()).toEqual(AUTHORS);
      await page.getByRole('button', { name: 'fewer authors' }).click();
      expect(await shown.count()).toBe(few);
      expect([view, await cutIn(page, 'main h1, main h1 bdi, .titled a, .facts .author')]).toEqual([view, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH);
    }
  });

  it('is as wide as the phone under filters by long names, each with the sign that takes it away, and whole on paper', async () => {
    const { url, page } = opened;
    await page.setViewportSize({ width: WIDTH, height: 844 });
    for (const view of ['traffic', 'lists']) {
      const section = 'A section with a long name '.repeat(8);
      await page.goto(`${url}?view=${view}&section=${section}&slot=${'at-the-end-'.repeat(5)}`);
      await page.locator('.chips').first().waitFor();
      await settled(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(WIDTH);
      const filters = page.locator('.chips button:has(i)');
      const isWithin = await filters.evaluateAll((all) =>
        all.map((one) => {
          const [sign, ground] = [one.querySelector('i')!, one].map((each) => each.getBoundingClientRect());
          return sign!.width > 0 && sign!.right <= ground!.right;
        }),
      );
      expect([view, isWithin]).toEqual([view, view === 'lists' ? [true, true] : [true]]);
      await page.emulateMedia({ media: 'print' });
      expect([view, await cutIn(page, '.chips button, .chips bdi')]).toEqual([view, []]);
      await page.emulateMedia({ media: 'screen' });
    }
  });

  it('has its whole title in the table of a wider page, as one that is enlarged to 200 %', async () => {
    const { url, page } = opened;
    await page.goto(url);
    for (const width of [720, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('.titled').getByText(TITLE).first().waitFor();
      await settled(page);
      expect([width, await cutIn(page, '.titled a, .titled bdi')]).toEqual([width, []]);
    }
  });
});
