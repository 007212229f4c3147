// The operator's pages in a real browser: by keyboard from the sign-in to the console of one of several sites.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFigure } from '../../widget/console/figures.ts';
import { describeInBrowser } from '../support/browser.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import {
  addReadSite,
  expectAccessible,
  HOSTILE,
  keptIn,
  openDesktop,
  openPrefixProxy,
  settled,
  ZONE,
} from './newsroomPage.ts';

/** Sites without readers, beside the one that has some: more than a page of the list. */
const BLOGS = 55;

describeInBrowser('the operator’s pages', (browser) => {
  let server: TestServer;
  let context: BrowserContext;
  let page: Page;
  let token: string;
  const errors: string[] = [];

  const operator = (...words: string[]) => runInProcess(['operator', ...words, '--json', '--data', server.dataDir]);
  const newToken = async () => (JSON.parse((await operator('token')).stdout) as { token: string }).token;

  beforeAll(async () => {
    server = await startServer();
    await addReadSite(server, 'read.example');
    for (let each = 10; each < 10 + BLOGS; each++) await addSite(server, `blog-${each}.example`);
    token = await newToken();
    ({ context, page } = await openDesktop(browser(), errors));
  });
  afterAll(async () => {
    await context?.close();
    await server?.stop();
    await removeDataDirs();
  });

  async function signIn(address: string): Promise<void> {
    await page.goto(address);
    await page.getByRole('button', { name: 'Use the operator’s token' }).press('Enter');
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
  }

  const sites = () => page.locator('.sites tbody tr');
  const tab = async (times: number) => {
    for (let each = 0; each < times; each++) await page.keyboard.press('Tab');
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('refuses a wrong token in words, and signs in with the right one', async () => {
    await page.goto(`${server.url}/console/`);
    await page.getByRole('button', { name: 'Use the operator’s token' }).click();
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the operator’s token.').waitFor();
    await expectAccessible(page, 'sign-in');
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await sites().first().waitFor();
    // Whether anyone is signed in was asked before, and refused.
    errors.length = 0;
  });

  it('shows the sites with what is read, page by page, and keeps what is chosen in the address', async () => {
    expect(await sites().first().getAttribute('data-key')).toBe('read.example');
    expect(await sites().first().locator('[data-metric=views_today]').textContent()).toBe(toFigure(11));
    expect(await sites().count()).toBe(50);
    await expectAccessible(page, 'sites');
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    await until('the sites are in the order of their names', async () =>
      ((await sites().first().getAttribute('data-key')) ?? '').startsWith('blog-'),
    );
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await page.getByText('51 to 56 of 56 sites').waitFor();
    expect(new URL(page.url()).search).toBe('?sort=name&page=2');
    expect(await focused()).toBe('Next');
    await page.goBack();
    await page.getByText('1 to 50 of 56 sites').waitFor();
    expect(errors).toEqual([]);
  });

  it('finds a site by keyboard and opens its console as the operator, who may act', async () => {
    await page.goto(`${server.url}/console/`);
    await page.getByRole('searchbox').press('r');
    await page.keyboard.type('ead.ex');
    // One letter finds the site, too, where the next comes late.
    await page.waitForURL(({ search }) => search === '?find=read.ex');
    await page.getByText('1 site', { exact: true }).waitFor();
    await page.getByRole('searchbox').focus();
    await tab(5);
    expect(await focused()).toBe('read.example');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${server.url}/console/site/read.example/`);
    expect(await page.locator('.bar .zone').textContent()).toBe(`${ZONE}, operator`);
    expect(await page.locator('[data-total=views]').textContent()).toBe('11');
    await page.getByRole('region', { name: 'Sections' }).getByRole('button', { name: 'Food' }).click();
    expect(page.url()).toBe(`${server.url}/console/site/read.example/?section=Food`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Name').fill('For the board');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const address = await page.locator('dialog input[readonly]').inputValue();
    expect(address).toContain(`${server.url}/console/share/`);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Set-up' }).click();
    const tag = await page.locator('.snippet code').first().innerText();
    expect(tag).toBe(`<script async src="${server.url}/afterword.js" data-site="read.example"></script>`);
    await page.getByRole('link', { name: 'All sites' }).click();
    await sites().first().waitFor();
    expect(page.url()).toBe(`${server.url}/console/`);
    expect(errors).toEqual([]);
  });

  it('keeps what is typed while the list of what was typed before is drawn', async () => {
    await page.goto(`${server.url}/console/`);
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await page.evaluate(() => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (...change) => {
        replace(...change);
        history.replaceState = replace;
        const input = document.querySelector<HTMLInputElement>('input[type=search]')!;
        input.value = 'blog-1';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
    });
    await search.press('b');
    await page.waitForURL(({ search: query }) => query === '?find=blog-1');
    await page.getByText('10 sites', { exact: true }).waitFor();
    expect(await search.inputValue()).toBe('blog-1');
    await page.goBack();
    await page.goForward();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[type=search]')?.value === 'blog-1',
    );
  });

  it('has the whole name of a site beside the way back to all sites, on a phone as well', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${server.url}/console/site/read.example/`);
    await settled(page);
    const [shown, whole] = await page.locator('.bar .site').evaluate((one) => [one.clientWidth, one.scrollWidth]);
    expect(shown).toBe(whole);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('writes hostile titles and a hostile name of a site as text: nothing of them runs', async () => {
    await page.goto(`${server.url}/console/site/read.example/`);
    await settled(page);
    const titles = page.getByRole('region', { name: 'Posts' }).locator('.titled a:not(.page)');
    expect(await titles.allTextContents()).toContain(HOSTILE);
    await page.goto(`${server.url}/console/site/${encodeURIComponent(HOSTILE.replaceAll('/', ''))}/`);
    await page.getByRole('heading', { name: 'There is no such site' }).waitFor();
    expect(await page.title()).toMatch(/ · Afterword$/);
    expect(await page.locator('#app img, #app script').count()).toBe(0);
    await page.getByRole('link', { name: 'All sites' }).click();
    await sites().first().waitFor();
    expect(errors).toEqual([]);
  });

  it('shows the state of the server and what is wrong, with what to do', async () => {
    const agent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
    await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': agent },
      body: JSON.stringify({
        events: [{ idsite: 'none.example', url: 'https://none.example/a', action: 'pageview' }],
      }),
    });
    await page.getByRole('link', { name: 'Server' }).press('Enter');
    await page.getByText('A page names a Site ID that does not exist').waitFor();
    expect(await page.locator('.verdict').textContent()).toBe('1 warning: below each stands what to do.');
    expect(await page.getByRole('region', { name: 'Events', exact: true }).textContent()).toContain('are stored');
    await page.locator('summary').press('Enter');
    await page.locator('.finding.ok[data-key=disk]').waitFor();
    await expectAccessible(page, 'server');
    expect(new URL(page.url()).search).toBe('?view=server');
    expect(errors).toEqual([]);
  });

  it('says what failed, and keeps what it knows', async () => {
    await page.goto(`${server.url}/console/`);
    await sites().first().waitFor();
    await page.route('**/operator/sites**', (route) => route.abort());
    await page.getByRole('button', { name: 'Silent' }).click();
    await page.getByText('The server did not answer.').waitFor();
    expect(await sites().count()).toBe(50);
    await page.unroute('**/operator/sites**');
    await page.getByRole('button', { name: 'Ask now' }).click();
    await page.getByText('The server did not answer.').waitFor({ state: 'detached' });
    errors.length = 0;
  });

  it('works below the prefix of a proxy', async () => {
    const proxy = await openPrefixProxy('/stats', server.url);
    try {
      await signIn(`${proxy.url}/console/site/read.example`);
      await settled(page);
      expect(page.url()).toBe(`${proxy.url}/console/site/read.example/`);
      await page.getByRole('link', { name: 'All sites' }).click();
      await sites().first().waitFor();
    } finally {
      proxy.close();
    }
  });

  it('asks to sign in again when the token has ended, and has left it nowhere in the page', async () => {
    await page.goto(`${server.url}/console/`);
    await sites().first().waitFor();
    const kept = await keptIn(page);
    expect(kept).not.toContain(token);
    await operator('revoke');
    await page.getByRole('button', { name: 'Refused' }).click();
    await page.getByText('Your session has ended.').waitFor();
  });
});
