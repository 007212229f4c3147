// What happened beside the curves of the console: marks, their words, and the list below.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import { startServer, type TestServer, type TestSite } from '../support/server.ts';
import { addReadSite, HOSTILE, openDesktop, settled, signInAt } from './newsroomPage.ts';

const BREAD = 'http://localhost:9/bread';

describeInBrowser('annotations in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  const write = (path: string, body: object) =>
    postJson(server, path, { apikey: site.apikey, secret: site.write_secret, ...body });

  beforeAll(async () => {
    server = await startServer();
    site = await addReadSite(server, 'marked.example');
    const pub_date_tmsp = new Date(Date.now() - 60_000).toISOString();
    await write('/v2/metadata/posts', { metadata: { canonical_url: BREAD, pub_date_tmsp } });
    await write('/v2/annotations', { label: HOSTILE, kind: 'deploy', date: '26h' });
    await write('/v2/annotations', { label: 'Newsletter', kind: 'newsletter', url: BREAD });
    await write('/v2/annotations', { label: 'About another post', url: 'http://localhost:9/formula' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    errors.length = 0;
    ({ context, page } = await openDesktop(browser(), errors));
  });
  afterEach(() => context.close());

  const lines = (on: Page) =>
    on
      .locator('.annotations li')
      .evaluateAll((all) => all.map((one) => one.querySelector(':scope > :last-child')?.textContent));

  it('marks the curve, says what it was at the interval and in a list, by keyboard alone', async () => {
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, site);
    await page.locator('.annotations summary').waitFor();
    expect(await page.locator('.annotations summary').innerText()).toBe('What happened (4)');
    expect(await page.locator('g.annotation').count()).toBe(2);
    const slider = page.getByRole('slider', { name: 'Views by day' });
    await slider.focus();
    await page.keyboard.press('End');
    // The newest interval has three of them; midnight may have passed since they were written.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/\. (Published: Of bread|Newsletter: Newsletter)/);
    expect(await page.locator('.tip .annotation').first().innerText()).toMatch(
      /Published: Of bread|Newsletter: Newsletter/,
    );
    await page.locator('.annotations summary').focus();
    await page.keyboard.press('Enter');
    expect((await lines(page)).sort()).toEqual([HOSTILE, 'About another post', 'Newsletter', 'Of bread'].sort());
    // Nothing of a label runs.
    expect(await page.title()).not.toBe('ran');
    expect(await page.locator('.annotations img, .annotations script').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Of bread', exact: true }).first().focus();
    await page.locator('.annotations').getByRole('link', { name: 'Of bread' }).press('Enter');
    await page.getByRole('heading', { name: 'Of bread' }).first().waitFor();
    await settled(page);
    await page.locator('.annotations summary').click();
    expect((await lines(page)).sort()).toEqual([HOSTILE, 'Newsletter', 'Of bread'].sort());
    expect(await page.locator('.annotations a').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('are written, removed and written again by who may act, by keyboard alone', async () => {
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, { ...site, secret: site.write_secret });
    await page.getByText('Write what happened').press('Enter');
    const write = page.getByRole('button', { name: 'Write', exact: true });
    await write.press('Enter');
    await page.getByText('Give a label of 1 to 200 characters, on one line.').waitFor();
    expect(await page.getByLabel('What', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('What', { exact: true }).fill('<b>Front page</b> Ω');
    await page.getByLabel('Kind').selectOption('deploy');
    await page.getByLabel('When').fill('1999-01-01T10:00');
    await write.press('Enter');
    await page.getByText('Give a date from the year 2000 to a year from now.').waitFor();
    await page.getByLabel('When').fill('');
    expect(await axeFindings(page)).toEqual([]);
    await write.press('Enter');
    await page.getByText('What happened (5)').press('Enter');
    const own = page.locator('.annotations li', { hasText: '<b>Front page</b> Ω' });
    expect(await own.locator('.soft').innerText()).toBe('Deploy');
    expect(await page.getByLabel('What', { exact: true }).inputValue()).toBe('');
    // Those that are derived stay.
    expect(await page.locator('.annotations li', { hasText: 'Published' }).getByRole('button').count()).toBe(0);
    await own.getByRole('button', { name: 'Remove <b>Front page</b> Ω' }).press('Enter');
    await page.getByText('What happened (4)').waitFor();
    expect(await own.count()).toBe(0);
    await page.getByRole('button', { name: 'Write it again' }).press('Enter');
    await own.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await own.getByRole('button').press('Enter');
    await page.getByText('What happened (4)').waitFor();
    expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
  });

  it('are listed as they are once the last of several removals is over', async () => {
    await write('/v2/annotations', { label: 'The first', kind: 'deploy' });
    await write('/v2/annotations', { label: 'The second', kind: 'deploy' });
    let removals = 0;
    await page.route('**/api/v2/annotations?*', async (route) => {
      removals += 1;
      // The second is answered after the list that the first one asks for.
      if (removals === 2) await page.getByText('What happened (5)').waitFor();
      await route.continue();
    });
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, { ...site, secret: site.write_secret });
    await page.getByText('What happened (6)').press('Enter');
    // Both are clicked before the page is drawn again.
    await page.evaluate(() => {
      for (const label of ['The first', 'The second'])
        [...document.querySelectorAll('.annotations li')]
          .find((line) => line.textContent?.includes(label))
          ?.querySelector('button')
          ?.click();
    });
    await page.getByText('What happened (4)').waitFor();
    expect(await lines(page)).not.toContain('The second');
  });

  it('are listed anew where another editor has removed one before', async () => {
    await write('/v2/annotations', { label: 'Twice', kind: 'deploy' });
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, { ...site, secret: site.write_secret });
    await page.getByText('What happened (5)').press('Enter');
    const { data } = await getJson<{ data: AnnotationRecord[] }>(server, '/v2/analytics/annotations', {
      apikey: site.apikey,
      secret: site.secret,
    });
    await write('/v2/annotations', { remove: data.find(({ label }) => label === 'Twice')!.id });
    await page.getByRole('button', { name: 'Remove Twice' }).press('Enter');
    await page.getByText('What happened (4)').waitFor();
  });

  it('fits a phone, dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, site);
    await page.locator('.annotations summary').click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('says so where they are not known, and shows the figures all the same', async () => {
    let isAway = true;
    await page.route('**/api/v2/analytics/annotations?*', (route) =>
      isAway ? route.fulfill({ json: { code: 500, message: 'Out of order.', success: false } }) : route.continue(),
    );
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, site);
    await page.getByText('What happened is not known. Out of order.').waitFor();
    expect(await page.locator('[data-total=views]').innerText()).toBe('11');
    isAway = false;
    await page.locator('.annotations').getByRole('button', { name: 'Try again' }).click();
    await page.locator('.annotations summary').waitFor();
  });

  it('say that they are written each time, as a change that a screen reader announces', async () => {
    await signInAt(page, `${server.url}/console/?view=traffic&period=7d`, { ...site, secret: site.write_secret });
    await page.getByText('Write what happened').click();
    const status = page.locator('.annotate [role=status]');
    const said = await status.evaluateHandle((region) => {
      const texts: string[] = [];
      new MutationObserver(() => texts.push(region.textContent ?? '')).observe(region, {
        ...{ childList: true, characterData: true, subtree: true },
      });
      return texts;
    });
    for (const label of ['One', 'Two']) {
      await page.getByLabel('What', { exact: true }).fill(label);
      await page.getByRole('button', { name: 'Write', exact: true }).click();
      await expect.poll(() => page.getByLabel('What', { exact: true }).inputValue()).toBe('');
    }
    expect(await said.jsonValue()).toEqual(['Written.', '', 'Written.']);
  });
});
