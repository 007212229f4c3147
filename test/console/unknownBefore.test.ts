// The curve of a site whose older events were removed: of the period before, visitors are no longer known, and none are
// drawn; its views are known from sums by day.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DAY } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const VIEWS = [1, 2, 8, 9, 10].map((days) => NOW - days * DAY);

describeInBrowser('a period before that is not known', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: VIEWS }, (one) => {
    opened = one;
  });

  it('has no percentage beside it where it begins before the first view of the site', async () => {
    const { room, url, page } = opened;
    await page.clock.setFixedTime(NOW);
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    const views = page.locator('.totals li').filter({ hasText: /^Views/ });
    // The first view came on 10 March.
    await page.goto(`${url}?period=own&from=2040-03-14&to=2040-03-19`);
    await settled(page);
    const totals = page.getByRole('region', { name: 'Totals' });
    const said = () => totals.getByText('The period before').filter({ hasText: 'first view' }).allInnerTexts();
    expect(await views.innerText()).toMatch(/^Views\s+2$/);
    expect(await said()).toEqual([
      'The period before is counted in part: it begins before the first view of this site.',
    ]);
    const slider = page.getByRole('slider');
    const saidAt = async (key: string) => {
      await slider.press(key);
      return await page.locator('.tip .change').innerText();
    };
    expect(await saidAt('Home')).toBe('not known before');
    expect(await saidAt('ArrowRight')).toBe('not known before');
    expect(await saidAt('ArrowRight')).toBe('counted in part before');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Fri 16 Mar: 0, 1 in the period before, counted in part');
    expect(await saidAt('ArrowRight')).toContain('100%');
    // A day that was counted in part would begin the line as a fall, or a rise, that never was.
    expect(await page.locator('.curve path.before').getAttribute('d')).toMatch(/^M[\d. ]+(L[\d. ]+){2}$/);
    // In a file, what is not known is no zero.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of the curve' }).click(),
    ]);
    const [, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const cells = rows.map((row) => row.split(','));
    expect(cells.map(([day, ...figures]) => [day, figures[6]])).toEqual([
      ['2040-03-14', ''],
      ['2040-03-15', ''],
      ['2040-03-16', '1'],
      ['2040-03-17', '1'],
      ['2040-03-18', '1'],
      ['2040-03-19', '0'],
    ]);
    // Nothing of the period before was counted.
    await page.goto(`${url}?period=28d`);
    await settled(page);
    expect(await views.innerText()).toMatch(/^Views\s+5$/);
    expect(await said()).toEqual(['The period before is not known: it begins before the first view of this site.']);
    expect(await page.locator('.curve .key.before').count()).toBe(0);
    await page.goto(`${url}?period=own&from=2040-03-16&to=2040-03-19`);
    await settled(page);
    expect(await views.innerText()).toMatch(/^Views\s+2\s+▲\s*100%/);
    expect(await said()).toEqual([]);
    await page.goto(`${url}?view=lists&period=28d`);
    await settled(page);
    expect(await said()).toHaveLength(1);
    expect(await totals.locator('.totals .change').count()).toBe(0);
  });

  it('is no drawing that is waited for, where the period is still to come', async () => {
    const { url, page } = opened;
    await page.goto(`${url}?period=own&from=2040-04-01&to=2040-04-03`);
    const totals = page.getByRole('region', { name: 'Totals' });
    await totals.getByText('These days are still to come.').waitFor({ timeout: 20_000 });
    expect(await totals.locator('.picture').count()).toBe(0);
  });

  it('is drawn for no metric that is not known of it', async () => {
    const { room, url, page } = opened;
    await room.deps.store.retention.removeBefore([{ site: room.site.id, day: '2040-03-14' }]);
    await page.goto(`${url}?metric=visitors`);
    await settled(page);
    const slider = page.getByRole('slider');
    /** What is said of the chosen day, the key of the picture, and what is drawn of the period before. */
    const before = async () => ({
      says: await slider.getAttribute('aria-valuetext'),
      key: await page.locator('.curve .key.before').count(),
      line: (await page.locator('.curve path.before').getAttribute('d'))!.length > 0,
      dot: await page.locator('.curve g.marked .before').count(),
    });
    await slider.press('End');
    expect(await before()).toEqual({ says: 'Tue 20 Mar: 0 so far', key: 0, line: false, dot: 0 });
    await page.getByRole('button', { name: /^Views/ }).click();
    await slider.press('End');
    expect(await before()).toMatchObject({ key: 1, line: true, dot: 1 });
  });
});

describeInBrowser('a period before in which a site was new', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - 10 * DAY, NOW - 7 * DAY] }, (one) => {
    opened = one;
  });

  it('is not compared by new and returning visitors, and from ten on has multiples in place of percentages', async () => {
    const { room, url, page } = opened;
    const readers = Array.from({ length: 12 }, (_, reader) => ({ time: NOW - 60_000, visitor: String(reader + 1) }));
    const before = { time: NOW - 7 * DAY, visitor: '1' };
    await room.happen(...[...readers, before].map((view) => ({ url: 'https://paper.example/a', ...view })));
    await page.clock.setFixedTime(NOW);
    const site = { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret };
    // The period before begins on the day after the first view.
    await signInAt(page, `${url}?period=own&from=2040-03-16&to=2040-03-20`, site);
    await settled(page);
    const changeOf = (name: RegExp) =>
      page.locator('.totals li').filter({ hasText: name }).locator('.change').innerText();
    expect(await changeOf(/^Visitors/)).toMatch(/^▲\s*12 times\s*as many as in the period before$/);
    expect(await changeOf(/^New visitors/)).toBe('too early to compare');
    expect(await changeOf(/^Returning visitors/)).toBe('too early to compare');
    await page.getByRole('button', { name: /^New visitors/ }).click();
    await page.getByRole('slider').press('End');
    expect(await page.locator('.tip .change').innerText()).toBe('too early to compare');
  });
});
