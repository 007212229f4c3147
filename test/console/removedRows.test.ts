// Rows that are removed in the console: the second click of a double click removes no other one, and the keyboard
// continues where the row was.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('rows that are removed in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'removed.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const open = (search: string) =>
    signInAt(page, `${server.url}/console/${search}`, { ...site, secret: site.write_secret });
  const send = (path: string, body: object) =>
    postJson(server, path, { apikey: site.apikey, secret: site.write_secret, ...body });
  const ask = async <T>(path: string): Promise<T[]> =>
    (await getJson<{ data: T[] }>(server, path, { apikey: site.apikey, secret: site.secret })).data;
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

  const PATIENCE = { timeout: 30_000 };
  const few = (rows: Locator, count: number) => expect.poll(() => rows.count(), PATIENCE).toBe(count);

  /**
   * A double click of a slow hand: what the first click does has been drawn when the second one comes.
   * @returns how many changes were sent.
   */
  async function clickTwice(target: Locator, drawn: () => Promise<unknown>): Promise<number> {
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent++;
    });
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await target.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      if (clickCount === 1) await drawn();
    }
    await settled(page);
    return sent;
  }

  it('removes one rule by a double click, and the keyboard is at the heading of the rules', async () => {
    const rules = ['bread', 'formula', 'hostile'].map((path) => ({ pin: `http://localhost:9/${path}`, position: 1 }));
    await send('/v2/rules', { set: { name: 'newsroom', always: true, rules } });
    await open('?view=lists');
    const region = page.getByRole('region', { name: 'Rules of editors' });
    const rows = region.locator('li');
    await rows.nth(2).waitFor();
    expect(await clickTwice(region.getByRole('button').first(), () => few(rows, 2))).toBe(1);
    expect(await ask('/v2/rules')).toMatchObject([{ rules: rules.slice(1) }]);
    await region.getByRole('button').last().press('Enter');
    await few(rows, 1);
    expect(await focused()).toBe('Rules of editors');
  });

  it('removes one annotation by a double click, and the keyboard is where it is written again', async () => {
    for (const label of ['First', 'Second', 'Third']) await send('/v2/annotations', { label });
    await open('?period=today');
    await page.getByText('What happened (').click();
    const buttons = page.getByRole('button', { name: /^Remove / });
    await buttons.nth(2).waitFor();
    expect(await clickTwice(buttons.first(), () => few(buttons, 2))).toBe(1);
    await few(buttons, 2);
    await buttons.first().press('Enter');
    await few(buttons, 1);
    expect(await focused()).toBe('Write it again');
    await page.keyboard.press('Enter');
    await few(buttons, 2);
    expect(await focused()).toContain('Written again');
  });

  it('asks before it revokes a link, also after a double click, and the keyboard stays in the dialog', async () => {
    await open('');
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this view' });
    await dialog.getByLabel('Name').fill('For the board');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const row = dialog.getByRole('listitem');
    await row.waitFor();
    const now = dialog.getByRole('button', { name: 'Revoke now For the board' });
    expect(await clickTwice(dialog.getByRole('button', { name: 'Revoke For the board' }), () => now.waitFor())).toBe(0);
    await now.press('Enter');
    await dialog.getByText('There is none.').waitFor();
    expect(await focused()).toBe('Links that are valid now');
  });

  it('takes a filter away, and the keyboard is at the figures', async () => {
    await open('?section=Food');
    await page.getByRole('list', { name: 'Filters' }).getByRole('button').press('Enter');
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('figures');
  });
});
