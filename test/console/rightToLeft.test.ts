// Names that are written from right to left, longer than their place in a table.
import { expect, it } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const LONG = 'חדשות מקומיות מן העיר העתיקה ומכל הארץ ומן העולם כולו '.repeat(5).trim();

describeInBrowser('a title, a section, an author and a tag in Hebrew', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [NOW - MINUTE] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('are cut at their end, not at their beginning', async () => {
    const named = { title: LONG, section: LONG, authors: [LONG], tags: [LONG] };
    await room.write('https://paper.example/a', named);
    await page.clock.setFixedTime(NOW);
    const site = { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret };
    await signInAt(page, url, site);
    for (const view of ['traffic', 'now']) {
      await page.goto(`${url}?view=${view}`);
      await page.locator('main tbody').getByText(LONG).first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);
      const shown = await page.locator('main tbody bdi').filter({ hasText: LONG }).evaluateAll(firstLettersShown);
      expect([view, shown.length >= 2, shown.filter((one) => !one)]).toEqual([view, true, []]);
    }
  });

  it('stand before the day in the list beside the dials', async () => {
    await room.write('https://paper.example/b', { title: 'B', section: 'חדשות', tags: [LONG], pubDate: NOW - MINUTE });
    await page.goto(`${url}?view=lists`);
    const [section, day] = await page
      .locator('.dial li small')
      .first()
      .evaluate((small) => {
        const text = small.textContent;
        const leftOf = (part: string) => {
          const nodes = document.createTreeWalker(small, NodeFilter.SHOW_TEXT);
          for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
            const at = node.textContent!.indexOf(part);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + part.length);
            return range.getBoundingClientRect().left;
          }
          throw new Error(`${part} is not in ${text}`);
        };
        return [leftOf('חדשות'), leftOf('2040')];
      });
    expect(section! < day!, `${section} ${day}`).toBe(true);
  });
});

/** Of each name whether its first letter is within everything that cuts it off. */
function firstLettersShown(names: Element[]): boolean[] {
  return names.map((name) => {
    const letter = document.createRange();
    letter.setStart(name.firstChild!, 0);
    letter.setEnd(name.firstChild!, 1);
    const { left, right } = letter.getBoundingClientRect();
    for (let box: Element | null = name; box && box.tagName !== 'MAIN'; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== 'hidden') continue;
      const edges = box.getBoundingClientRect();
      if (left < edges.left - 1 || right > edges.right + 1) return false;
    }
    return true;
  });
}
