// A site without views: a tag that works is missing there, not a longer period.
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00+01:00');
const WAY = 'whether your tag works';

describeInBrowser('the console of a site without views', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: NOW, views: [] }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('leads from the first view to whether the tag works', async () => {
    await page.clock.setFixedTime(NOW);
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    await settled(page);
    await page.getByRole('region', { name: 'Posts' }).getByRole('link', { name: WAY }).click();
    await page.getByRole('heading', { name: 'Is my tag working?' }).waitFor();
  });

  it('leads there from the lists, too', async () => {
    await page.goto(`${url}?view=lists`);
    await settled(page);
    await page.getByRole('region', { name: 'Slots' }).getByRole('link', { name: WAY }).click();
    await page.getByRole('heading', { name: 'Is my tag working?' }).waitFor();
    await page.goto(`${url}?view=lists&slot=a`);
    await settled(page);
    const slots = page.getByRole('region', { name: 'Slots' });
    await slots.getByText('No item of a list was seen. Choose a longer period or fewer filters.').waitFor();
  });

  it('has a dash for the recirculation of an hour without a view', async () => {
    await page.goto(`${url}?view=now`);
    const figure = page.locator('.figure.recirculation_rate');
    await figure.locator('strong').waitFor();
    expect((await figure.innerText()).split(/\n+/)).toEqual([
      'Recirculation',
      '–',
      'Nothing to say yet: no view in the last hour',
    ]);
    expect(await page.locator('.figure.clicks strong').innerText()).toBe('0');
    await page.goto(`${url}?view=wall`);
    expect(await page.locator('[data-figure=recirculation_rate]').innerText()).toBe('–');
  });

  it('has dashes for the rates of lists without an item seen, and for the recirculation of a post without a view', async () => {
    await page.goto(`${url}?view=lists`);
    await settled(page);
    expect(await page.locator('[data-total=click_rate]').innerText()).toBe('–');
    expect(await page.locator('[data-total=recirculation]').innerText()).toBe('–');
    expect(await page.locator('[data-total=views_caused]').innerText()).toBe('0');
    await page.goto(`${url}?view=post&post=${encodeURIComponent('https://paper.example/a')}`);
    await settled(page);
    const recirculation = page.locator('.more-totals > div').filter({ hasText: 'Recirculation' });
    expect((await recirculation.innerText()).split(/\s*\n\s*/)).toEqual([
      'Recirculation',
      '–',
      'no view in these days',
    ]);
  });

  it('says no more than that filters leave nothing where there are any', async () => {
    await page.goto(`${url}?section=World`);
    await settled(page);
    const posts = page.getByRole('region', { name: 'Posts' });
    await posts.getByText('No post was read. Choose a longer period or fewer filters.').waitFor();
    expect(await posts.getByRole('link', { name: WAY }).count()).toBe(0);
  });
});
