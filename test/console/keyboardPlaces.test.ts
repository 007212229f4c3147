// Where the keyboard is after a press, and by which title a tab is found again.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import { addSite, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { HOSTILE, readCampaigns, readSitePages, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('the console by the keyboard, and in many tabs', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'places.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const titled = (title: string) => expect.poll(() => page.title(), { timeout: 60_000 }).toBe(title);
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('continues with the first row that was added, where more rows are shown', async () => {
    await readCampaigns(server, site, 15);
    await signInAt(page, `${server.url}/console/`, site);
    const campaigns = page.getByRole('region', { name: 'Campaigns' });
    await campaigns.getByRole('button', { name: 'Show 50 Campaigns' }).press('Enter');
    await settled(page);
    const names = await campaigns.locator('tbody .name').allTextContents();
    expect(names.length).toBeGreaterThan(12);
    expect(await focused()).toBe(names[9]);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(names[10]);
  });

  it('draws the whole ring around the view that has the focus', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.locator('.views a').last().focus();
      await page.keyboard.press('Shift+Tab');
      const { ring, beyond } = await page.evaluate(() => {
        const link = document.activeElement!;
        const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(link);
        const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
        const [box, { top, bottom }] = [link.closest('nav')!, link.getBoundingClientRect()];
        const around = box.getBoundingClientRect();
        return { ring: outlineStyle, beyond: Math.max(around.top - (top - reach), bottom + reach - around.bottom) };
      });
      expect([width, ring, beyond <= 0]).toEqual([width, 'solid', true]);
    }
  });

  it.each([
    [1440, 900],
    [720, 450],
  ])('hides nothing that has the focus below the chosen period, at %i by %i pixels', async (width, height) => {
    await page.setViewportSize({ width, height });
    await signInAt(page, `${server.url}/console/?section=Food&period=own&from=2026-01-01&to=2026-01-02`, site);
    await page.goto(page.url().replace(/period=own.*/, 'period=today'));
    await settled(page);
    await page.getByRole('button', { name: 'Dates' }).click();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator('main button').last().focus();
    const passed: string[] = [];
    const hidden: string[] = [];
    for (;;) {
      await page.keyboard.press('Shift+Tab');
      const { isFigure, says, isSeen } = await page.evaluate(() => {
        const { top, bottom, left } = document.activeElement!.getBoundingClientRect();
        const isFigure = document.activeElement?.closest('main') !== null;
        const below = document.querySelector('.choices')!.getBoundingClientRect();
        return {
          isFigure,
          says: document.activeElement?.textContent ?? '',
          isSeen: top >= Math.max(0, below.bottom) && bottom <= innerHeight && left >= 0,
        };
      });
      if (!isFigure) break;
      passed.push(says);
      if (!isSeen) hidden.push(says);
    }
    expect(passed.length).toBeGreaterThan(20);
    expect(hidden).toEqual([]);
  });

  it('continues in the view that a link of a table opens, and stays on a link that is there in every view', async () => {
    const focusedId = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '');
    await signInAt(page, `${server.url}/console/`, site);
    expect(await focusedId()).toBe('');
    await page.getByRole('link', { name: 'Of bread', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Of bread' }).waitFor();
    await expect.poll(focusedId).toBe('figures');
    await page.getByRole('link', { name: 'Ann', exact: true }).press('Enter');
    await titled('Traffic · places.example · Afterword');
    await expect.poll(focusedId).toBe('figures');
    await page.getByRole('link', { name: 'Now', exact: true }).press('Enter');
    await titled('Now · places.example · Afterword');
    await page.locator('main.live').waitFor();
    expect(await focused()).toBe('Now');
  });

  it('chooses the last post that was found with the arrow up, and none with the Enter that ends a composition', async () => {
    await signInAt(page, `${server.url}/console/`, site);
    const field = page.getByRole('combobox', { name: 'Find a post' });
    await field.fill('bread');
    const options = page.getByRole('listbox', { name: 'Posts' }).getByRole('option');
    await options.first().waitFor();
    const isComposing = true;
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing });
    expect(new URL(page.url()).search).toBe('');
    await page.route('**/api/v2/search?*', (route) =>
      route.fulfill({ json: { data: ['a', 'b', 'c'].map((url) => ({ url, title: url })), success: true } }),
    );
    await field.fill('several');
    await expect.poll(() => options.count()).toBe(3);
    await field.press('ArrowUp');
    expect(await options.nth(2).getAttribute('aria-selected')).toBe('true');
  });

  it('skips to the figures, and the address stays', async () => {
    await signInAt(page, `${server.url}/console/#kept`, site);
    await page.getByText('Skip to the figures').press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('figures');
    expect(page.url()).toBe(`${server.url}/console/#kept`);
  });

  it('reaches the experiments of the lists by two links that are seen while they have the focus', async () => {
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
    await page.getByText('Skip to the figures').press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the experiments');
    const { width = 0, height = 0 } = (await page.locator(':focus').boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThan(20);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Experiments');
    for (let press = 0; press < 2; press++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('New experiment');
  });

  it('opens the address of a mail where its site is signed in to, and asks for it where another one is', async () => {
    const address = (of: string) => `${server.url}/console/site/${of}/?period=yesterday`;
    await page.goto(address(site.apikey));
    expect(await page.getByLabel('Site ID').inputValue()).toBe(site.apikey);
    await page.getByLabel('Secret').fill(site.secret);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${server.url}/console/?period=yesterday`);
    const other = await addSite(server, 'other.example', '--domain', 'other.example');
    await page.goto(address(other.apikey));
    await page.getByText('You are signed in to places.example, and this page is of other.example.').waitFor();
    expect(await page.getByLabel('Site ID').inputValue()).toBe(other.apikey);
    await page.getByLabel('Secret').fill(other.secret);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.title()).toBe('Traffic · other.example · Afterword');
  });

  it('has the dates that are shown in their fields, also after the back button, and the keyboard stays', async () => {
    await signInAt(page, `${server.url}/console/?period=own&from=2026-01-02&to=2026-01-05`, site);
    const from = page.getByLabel('From', { exact: true });
    const to = page.getByLabel('To', { exact: true });
    await from.fill('2026-02-03');
    await to.fill('2026-02-04');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await page.getByRole('heading', { name: '3 February 2026 to 4 February 2026' }).waitFor();
    expect(await focused()).toBe('Show');
    await page.goBack();
    await page.getByRole('heading', { name: '2 January 2026 to 5 January 2026' }).waitFor();
    const days = async () => `${await from.inputValue()} ${await to.inputValue()}`;
    await until('the fields have the dates of before', async () => (await days()) === '2026-01-02 2026-01-05');
  });

  it('names in the title of the page what it shows, and of which site', async () => {
    await page.goto(`${server.url}/console/`);
    await titled('Sign in · Afterword');
    await signInAt(page, `${server.url}/console/`, site);
    expect(await page.title()).toBe('Traffic · places.example · Afterword');
    await page.getByRole('link', { name: HOSTILE, exact: true }).click();
    await titled(`${HOSTILE} · places.example · Afterword`);
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await titled('Now · places.example · Afterword');
    await page.goBack();
    await titled(`${HOSTILE} · places.example · Afterword`);
    const untitled = 'http://localhost:9/untitled';
    const metadata = { canonical_url: untitled };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
    await page.goto(`${server.url}/console/?view=post&post=${encodeURIComponent(untitled)}`);
    await titled(`${untitled} · places.example · Afterword`);
  });
});
