// Files: named by their view, and from which day to which; rows of one name are distinguished.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DAY, MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const DAYS = '2040-03-14-2040-03-20';

async function savedBy(page: Page, button: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return file.suggestedFilename();
}

describeInBrowser('files of the console', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - MINUTE] }, (one) => {
    opened = one;
  });

  it('are named by their view and their days', async () => {
    const { room, url, page } = opened;
    await room.write('https://paper.example/a', { title: 'A', pubDate: NOW - MINUTE });
    await room.write('https://paper.example/b', { title: 'A', pubDate: NOW - DAY });
    await page.clock.setFixedTime(NOW);
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    const names: string[] = [];
    for (const view of ['traffic', 'lists', `post&post=${encodeURIComponent('https://paper.example/a')}`]) {
      await page.goto(`${url}?view=${view}`);
      await settled(page);
      const buttons = page.getByRole('button', { name: /^CSV/ });
      for (const button of await buttons.all()) names.push(await savedBy(page, button));
    }
    expect(names).toEqual(
      expect.arrayContaining([
        `paper.example-traffic-${DAYS}.csv`,
        `paper.example-posts-${DAYS}.csv`,
        `paper.example-lists-${DAYS}.csv`,
        `paper.example-post-a-${DAYS}.csv`,
        `paper.example-post-a-referrers-${DAYS}.csv`,
        'paper.example-post-a-growth-2040-03-20-2040-03-20.csv',
        'paper.example-post-a-related-2040-03-20.csv',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/-2040-03-20\.csv$/);
  });

  it('have the category of each referrer', async () => {
    const { room, url, page } = opened;
    const fromForum = { url: 'https://paper.example/b', referrer: 'forum.example', time: NOW - 2 * MINUTE };
    await room.happen({ ...fromForum, referrerType: 'social' }, { ...fromForum, referrerType: 'other' });
    await page.goto(`${url}?view=traffic`);
    await settled(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of Referrers' }).click(),
    ]);
    const rows = (await readFile(await file.path(), 'utf8')).replace(/^\uFEFF/, '').split('\r\n');
    expect(rows[0]).toMatch(/^Referrer,Category,/);
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).toEqual(
      expect.arrayContaining([
        ['forum.example', 'social'],
        ['forum.example', 'other'],
      ]),
    );
  });
});
