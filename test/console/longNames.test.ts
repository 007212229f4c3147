// Names without a place to break, and rows of buttons, on a phone.
import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ReadSite, readSitePages, reportList, signInAt } from './newsroomPage.ts';
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

  it('are narrower than 320 pixels where a post has a period of its own', async () => {
    await room.write('https://paper.example/dated', { title: 'A', pubDate: NOW - HOUR });
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(`${url}?view=post&post=${encodeURIComponent('https://paper.example/dated')}`);
    await page.getByRole('button', { name: 'Since publication' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('leave a title the whole line, with its figures below it', async () => {
    const title = 'Building capacities within a government agency to build and support a new case management system';
    await room.write('https://paper.example/a', { title, section: '', authors: [] });
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(url);
    const rows = page.locator('.panel.posts tbody tr');
    await rows.locator('bdi').getByText(title).waitFor();
    const found = await rows.evaluateAll((all) =>
      all.map((row) => {
        const words = document.createRange();
        words.selectNodeContents(row.querySelector('.titled bdi')!);
        const figures = [...row.querySelectorAll('td')].flatMap((cell) => {
          const says = document.createRange();
          says.selectNodeContents(cell);
          const { top, height } = says.getBoundingClientRect();
          return height === 0 ? [] : [top];
        });
        return {
          share: row.querySelector('.titled')!.getBoundingClientRect().width / row.getBoundingClientRect().width,
          isBelow: figures.every((top) => top >= words.getBoundingClientRect().bottom - 3),
        };
      }),
    );
    expect(found.length).toBeGreaterThan(0);
    for (const { share, isBelow } of found) expect([share > 0.85, isBelow]).toEqual([true, true]);
  });

  it('leave a related post the whole line, with the reasons below it', async () => {
    const related = { url: 'https://paper.example/b', title: LONG, section: '', pub_date: '', source: 'words' };
    const explain = { score: 0.5, terms: [{ term: LONG }], parts: { words: 0.5, title: 1.5 } };
    await page.route('**/api/v2/related?*', (route) =>
      route.fulfill({ json: { data: [{ ...related, explain }], success: true } }),
    );
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(`${url}?view=post&post=${encodeURIComponent('https://paper.example/a')}`);
    const row = page.locator('.panel.related tbody tr');
    await row.waitFor();
    const cells = await row
      .locator('th, td')
      .filter({ visible: true })
      .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().toJSON()));
    const panel = (await page.locator('.panel.related').boundingBox())!;
    for (const { width } of cells) expect(width / panel.width).toBeGreaterThan(0.85);
    expect(cells).toHaveLength(2);
    expect(cells[1]!.top).toBeGreaterThanOrEqual(cells[0]!.bottom);
    await page.unrouteAll();
  });

  it('leave the page of a link as wide as the phone, where a title is one', async () => {
    await room.write('https://paper.example/a', { title: LONG });
    await page.setViewportSize({ width: WIDTH, height: 900 });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInAt(page, url, { apikey: room.site.id, secret: room.writeSecret, write_secret: room.writeSecret });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Name').fill('For the board');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.goto(await page.getByLabel('The link, shown this once').inputValue());
    await page.locator('.titled').getByText(LONG).first().waitFor({ timeout: 20_000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH);
  });
});

describeInBrowser('the title of a page with a list', (browser) => {
  let opened: ReadSite;
  readSitePages(browser, 'titles.example', (ready) => {
    opened = ready;
  });

  it('has the whole line, with its figures below it, on a desktop, where its panel is narrow, and on a phone', async () => {
    const { server, site, page } = opened;
    await reportList(server, site, { slot: 'end' });
    await signInAt(page, `${server.url}/console/`, site);
    await page.goto(`${server.url}/console/?view=post&post=${encodeURIComponent('http://localhost:9/formula')}`);
    const row = page.locator('.of-pages tbody tr').first();
    await row.waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 1000 });
      const { share, isBelow } = await row.evaluate((one) => {
        const words = one.querySelector('.titled bdi')!.getBoundingClientRect();
        const figures = [...one.querySelectorAll('td')].flatMap((cell) => {
          const says = document.createRange();
          says.selectNodeContents(cell);
          const { top, height } = says.getBoundingClientRect();
          return height === 0 ? [] : [top];
        });
        return {
          share: one.querySelector('.titled')!.getBoundingClientRect().width / one.getBoundingClientRect().width,
          isBelow: figures.length > 0 && figures.every((top) => top >= words.bottom - 3),
        };
      });
      expect([width, share > 0.85, isBelow]).toEqual([width, true, true]);
    }
  });
});
