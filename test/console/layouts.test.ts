// The preview inside the set-up: a layout is chosen by the keyboard and seen in its frames, its lines follow, and a live
// page is checked, all on the page of the console.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openDesktop, openPrefixProxy, tabTo } from './newsroomPage.ts';

/** Each part would send a beacon, or change the console. */
const PAGE =
  '<!doctype html><html lang="en"><title>A story</title><script>fetch("/beacon");top.document.title="ran"</script>' +
  "<article><p>Once.</p></article><svg onload=\"fetch('/beacon');top.document.title='ran'\"></svg></html>";
const POSTS = 6;
const OPEN = 'Choose a layout and see it';

describeInBrowser('layouts in the set-up', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let publisher: Server;
  let origin: string;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];
  const asked: string[] = [];
  /** Of the publisher. */
  const fetched: string[] = [];

  beforeAll(async () => {
    server = await startServer({ flags: ['--allow-private-crawl'] });
    publisher = createServer(({ url = '' }, response) => {
      fetched.push(url);
      response.setHeader('Content-Type', 'text/html').end(PAGE);
    });
    await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
    const { port } = publisher.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    site = await addSite(server, 'layouts.example', '--domain', `127.0.0.1:${port}`);
    for (let number = 1; number <= POSTS; number++)
      await postJson(server, '/v2/metadata/posts', {
        apikey: site.apikey,
        secret: site.write_secret,
        metadata: { canonical_url: `${origin}/story-${number}`, title: `Story number ${number}`, section: 'Science' },
      });
    ({ context, page } = await openDesktop(browser(), errors));
    page.on('request', (request) => asked.push(request.url()));
    await openSetUp(server.url);
  });
  afterAll(async () => {
    await context?.close();
    publisher?.closeAllConnections();
    publisher?.close();
    await server?.stop();
  });

  const openSetUp = async (root: string) => {
    await page.goto(`${root}/console/?view=setup`);
    // Whether somebody is signed in is asked first, and refused.
    await page.getByLabel('Site ID').fill(site.apikey);
    errors.length = 0;
    await page.getByLabel('Secret').fill(site.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: OPEN }).waitFor();
  };
  const linesOf = () => page.locator('.paste .snippet code').allInnerTexts();
  const frame = (title: string) => page.frameLocator(`iframe[title="${title}"]`);
  /** Resolves when a frame lists so many posts, however often it is loaded anew meanwhile. */
  const shows = (title: string, posts: number) =>
    frame(title).locator(`[part=list][aria-busy=false] > li:nth-child(${posts}):last-child a`).waitFor();
  const nameStory = () => page.getByLabel('Related to this post').fill(`${origin}/story-1`);
  const without = { exclude: 'iframe' } as const;

  it('loads no frame before it is asked for', async () => {
    expect(await page.locator('iframe').count()).toBe(0);
    expect(asked.filter((url) => /layouts-|\/preview|integrity/.test(url))).toEqual([]);
  });

  it('draws the layout that is chosen by the keyboard, and the lines follow', async () => {
    const address = page.url();
    const entries = await page.evaluate(() => history.length);
    await tabTo(page, OPEN);
    await page.keyboard.press('Enter');
    await page.getByText('No post was read within 30 days. Name one').waitFor();
    await nameStory();
    for (const title of ['Phone, light', 'Sidebar, dark', 'Desktop, light']) await shows(title, 5);
    await page.getByRole('radio', { name: 'List', exact: true }).focus();
    await until('the grid is chosen', async () => {
      await page.keyboard.press('ArrowRight');
      return await page.getByRole('radio', { name: 'Grid' }).isChecked();
    });
    await page.getByRole('spinbutton', { name: 'Posts' }).fill('3');
    const slot = '<div data-afterword="related" data-layout="grid" data-limit="3"></div>';
    await until('the line of the slot follows', async () => (await linesOf()).includes(slot));
    await shows('Phone, dark', 3);
    await frame('Phone, dark').locator('nav[part$="-grid"]').waitFor();
    expect(page.url(), 'the address of the console').toBe(address);
    expect(await page.evaluate(() => history.length), 'steps of the back button').toBe(entries);
    const link = page.getByRole('link', { name: 'Open in the preview' });
    expect(await link.getAttribute('href')).toBe(
      `../preview?${new URLSearchParams({ site: site.apikey, layout: 'grid', limit: '3', post: `${origin}/story-1` })}`,
    );
    expect(await axeFindings(page, without)).toEqual([]);
  });

  it('copies a line, and says so', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: Where the list is to stand' }).press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('data-layout="grid"');
  });

  it('shows the list in a page of the publisher’s own, of which nothing runs', async () => {
    await page.getByLabel('Page of yours to show the list in').fill(`${origin}/story-2`);
    await page.keyboard.press('Enter');
    await page.getByText('Shown without its scripts; the list stands after the article.').waitFor();
    await frame('Phone, your page').locator('article + div li:nth-child(3)').waitFor();
    expect(fetched).toContain('/story-2');
    expect(fetched).not.toContain('/beacon');
    expect(await page.title()).toMatch(/ · Afterword$/);
    await page.getByLabel('Page of yours to show the list in').fill('');
    await page.keyboard.press('Enter');
    await shows('Phone, light', 3);
  });

  it('keeps the choice in the short lines, for both kinds of list, once it is done', async () => {
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await until('the frames are gone', async () => (await page.locator('iframe').count()) === 0);
    expect((await linesOf()).filter((line) => line.includes('data-afterword'))).toEqual([
      '<div data-afterword="related" data-layout="grid" data-limit="3"></div>',
      '<div data-afterword="top" data-layout="grid" data-limit="3"></div>',
    ]);
  });

  it('checks a live page, and says what it lacks', async () => {
    await page.getByLabel('Address of an article').fill(`${origin}/story-1`);
    await page.keyboard.press('Enter');
    await page.locator('.findings li').nth(2).waitFor();
    const said = (await page.locator('.findings li').allInnerTexts()).join('\n');
    expect(said).toContain('does not load afterword.js');
    expect(said).toContain('<link rel="canonical"');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('asks nothing of any other server', () => {
    expect(asked.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([]);
    // The console reports what the sandbox keeps from running.
    expect(errors.filter((text) => !/sandbox/i.test(text))).toEqual([]);
  });

  it('works below the prefix of a proxy', async () => {
    const proxy = await openPrefixProxy('/stats', server.url);
    try {
      await openSetUp(proxy.url);
      await page.getByRole('button', { name: OPEN }).press('Enter');
      await nameStory();
      await shows('Phone, light', 5);
      expect((await linesOf())[0]).toContain(`src="${proxy.url}/afterword.js"`);
      await until('the hash of the script is known', async () => (await linesOf()).at(-1)!.includes('integrity='));
      await page.getByLabel('Address of an article').fill(`${origin}/story-1`);
      await page.getByRole('button', { name: 'Check', exact: true }).press('Enter');
      await page.locator('.findings li').nth(2).waitFor();
      await page.goto(
        (await page.getByRole('link', { name: 'Open in the preview' }).getAttribute('href'))!.replace('..', proxy.url),
      );
      await shows('Phone, light', 5);
      const lines = page.getByRole('region', { name: 'What to copy' }).locator('code');
      expect(await lines.first().innerText()).toContain(`src="${proxy.url}/afterword.js"`);
      expect(errors).toEqual([]);
    } finally {
      proxy.close();
    }
  });

  it('is accessible on a desktop and a phone, in light and dark, and fits them', async () => {
    // The session of the proxy's folder is another one.
    await page.goto(`${server.url}/console/?view=setup`);
    await page.getByRole('button', { name: OPEN }).click();
    await nameStory();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 1000 });
      await shows('Phone, light', 5);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, await axeFindings(page, without)]).toEqual([width, colorScheme, []]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
