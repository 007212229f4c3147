// The preview as a publisher uses it: the real server, the real widget in its frames, a page of the site checked.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { BROWSER } from '../support/beacons.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openPublisher } from './publisherPages.ts';

describeInBrowser('the preview', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let publisher: Server;
  let origin: string;
  let page: Page;
  const errors: string[] = [];
  const beacons: string[] = [];

  beforeAll(async () => {
    server = await startServer({ flags: ['--allow-private-crawl'] });
    publisher = await openPublisher(beacons);
    const { port } = publisher.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    site = await addSite(server, 'paper.example', '--domain', `127.0.0.1:${port}`);
    for (let index = 1; index <= 6; index++) {
      const metadata = {
        canonical_url: `${origin}/story-${index}`,
        title: `Story number ${index}`,
        section: 'Science',
      };
      const body = JSON.stringify({ apikey: site.apikey, secret: site.write_secret, metadata });
      const answer = await fetch(`${server.url}/v2/metadata/posts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(await answer.json()).toMatchObject({ success: true });
    }
  });
  afterAll(async () => {
    publisher.closeAllConnections();
    publisher.close();
    await server.stop();
  });
  beforeEach(async () => {
    errors.length = 0;
    page = await browser().newPage({ viewport: { width: 1400, height: 1000 } });
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(() => page.close());

  const linksIn = (frame: string, item = 'li') =>
    page.frameLocator(`iframe[title="${frame}"]`).locator(`[data-afterword] [part=list][aria-busy=false] > ${item} a`);
  /** Resolves when so many posts are listed, however often the frame is loaded anew meanwhile. */
  const shows = (frame: string, posts: number) => linksIn(frame, `li:nth-child(${posts}):last-child`).waitFor();

  it('shows the list in a column of 300 pixels, alone', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    for (const frame of ['Sidebar, light', 'Sidebar, dark']) await shows(frame, 5);
    const sidebar = page.frameLocator('iframe[title="Sidebar, light"]');
    expect(await sidebar.locator('[data-afterword]').evaluate((slot) => slot.clientWidth)).toBe(300);
    expect(await sidebar.locator('.line').count()).toBe(0);
  });

  it('shows the list with the style sheet of the publisher’s pages', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    await shows('Phone, light', 5);
    await page.getByLabel('Style sheet of your pages').fill(`${origin}/site.css`);
    const slot = page.frameLocator('iframe[title="Phone, light"]').locator('[data-afterword]');
    // The frame is loaded again with the style sheet, at any moment of the question.
    const font = () => slot.evaluate((one) => getComputedStyle(one).font).catch(() => '');
    await until('the frame has its font', async () => (await font()).includes('21px Georgia'));
    await shows('Phone, light', 5);
    expect(await page.locator('pre').first().textContent()).not.toContain('site.css');
    expect(errors).toEqual([]);
  });

  it('shows the list in a page of the publisher’s own, with its styles, where it would stand', async () => {
    await page.goto(`${server.url}/preview`);
    await page.getByLabel('Page of yours to show the list in').fill(`${origin}/own`);
    await page.keyboard.press('Enter');
    await page.getByText('Shown without its scripts; the list stands after the article.').waitFor();
    const own = page.frameLocator('iframe[title="Phone, your page"]');
    const links = own.locator('article + div [part=list] > li a');
    const PATIENCE = { timeout: 100_000 };
    const font = () => links.first().evaluate((one) => getComputedStyle(one).fontFamily);
    await expect.poll(() => links.allTextContents(), PATIENCE).toHaveLength(5);
    await expect.poll(font, PATIENCE).toContain('Georgia');
    const box = await links.first().evaluate((one) => one.getBoundingClientRect().top / innerHeight);
    expect(box, 'in the window of the frame').toBeGreaterThan(0);
    expect(box).toBeLessThan(1);
    await page.getByLabel('Posts', { exact: true }).fill('3');
    await expect.poll(() => links.allTextContents(), PATIENCE).toHaveLength(3);
    expect(new URL(page.url()).searchParams.get('page')).toBe(`${origin}/own`);
    expect(beacons).toEqual([]);
    // The console reports what the sandbox keeps from running.
    expect(errors.filter((text) => !/sandbox/i.test(text))).toEqual([]);
  });

  it('shows a page of the publisher’s own while the most read list is not answered, and the sample when it is', async () => {
    let refused = 0;
    const isBusy = { success: false, code: 503, message: 'The server is busy' };
    await page.route('**/v2/top/posts*', (route) =>
      refused++ === 0 ? route.fulfill({ status: 503, json: isBusy }) : route.continue(),
    );
    await page.goto(`${server.url}/preview?page=${origin}/own`);
    await page.getByText('The server is busy').waitFor();
    await page.frameLocator('iframe[title="Phone, your page"]').locator('article + div li').first().waitFor();
    // The server is asked for the post of the sample again.
    await page.getByText('The server is busy').waitFor({ state: 'detached' });
    await page.unroute('**/v2/top/posts*');
  });

  it('lets nothing of a hostile page run, in its frame and opened by itself, and reads its beginning only', async () => {
    const path = `/preview/own/page?apikey=${site.apikey}&url=${origin}/hostile`;
    const answer = await fetch(server.url + path);
    expect((await answer.text()).length).toBeLessThan(2_200_000);
    expect(answer.headers.get('Content-Security-Policy')).toContain("sandbox; default-src 'none'");
    await page.goto(server.url + path);
    await page.locator('#afterword-preview-list li').first().waitFor();
    expect(await page.evaluate('origin'), 'an origin of its own').toBe('null');
    await page.goto(`${server.url}/preview?page=${origin}/hostile`);
    const own = page.frameLocator('iframe[title="Phone, your page"]');
    await own.locator('#afterword-preview-list li').first().waitFor();
    await own.getByRole('link', { name: 'A', exact: true }).click();
    await own.getByRole('button', { name: 'Send' }).click();
    expect(beacons).toEqual([]);
  });

  it('says why a page of one’s own cannot be shown, and shows the sample', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1&page=https://elsewhere.example/a`);
    await page.getByText('elsewhere.example is no host of paper.example.').waitFor();
    await shows('Phone, light', 5);
  });

  it('switches options off that change nothing, says why, and leaves them out of the line to copy', async () => {
    await page.goto(`${server.url}/preview?layout=compact&image=1.5&fallback=https://a.example/x.png&meta=author`);
    const line = page.locator('pre').nth(1);
    await until('the line is there', async () => (await line.textContent())?.includes('compact') ?? false);
    expect(await line.textContent()).toBe('<div data-afterword="related" data-layout="compact"></div>');
    const pictures = page.getByRole('radio', { name: '16:9' });
    expect(await pictures.isDisabled()).toBe(true);
    expect(await page.getByLabel('Picture for posts without one').isDisabled()).toBe(true);
    expect(await page.getByText('A compact list has titles only.').count()).toBe(3);
    await page.getByRole('radio', { name: 'Grid' }).check();
    expect(await pictures.isDisabled()).toBe(false);
    await until('they count again', async () => (await line.textContent())?.includes('data-image="1.5"') ?? false);
  });

  it('copies corners as its frames show them, whatever is typed', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    const line = page.locator('pre', { hasText: '--afterword-radius' });
    for (const typed of ['8', '-3', '120', '1.5']) {
      await page.getByLabel('Corners, in pixels').fill(typed);
      expect(await line.textContent()).toContain('--afterword-radius: 8px;');
    }
  });

  it('shows the list before the form on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    await shows('Phone, light', 5);
    const top = (label: string) =>
      page.getByLabel(label, { exact: true }).evaluate((one) => one.getBoundingClientRect().top);
    expect(await top('How it looks')).toBeLessThan(844 / 2);
    expect(await top('How it looks')).toBeLessThan(await top('The list'));
    expect(await top('The list')).toBeLessThan(await top('What to copy'));
  });

  it('shows the list in four frames, follows the form, and counts no view', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    for (const frame of ['Phone, light', 'Desktop, light', 'Phone, dark', 'Desktop, dark']) await shows(frame, 5);
    await page.getByLabel('Posts', { exact: true }).fill('3');
    await page.getByRole('radio', { name: 'Compact' }).check();
    await shows('Phone, dark', 3);
    const line = '<div data-afterword="related" data-layout="compact" data-limit="3"></div>';
    await until('the line to copy says so', async () => (await page.locator('pre').nth(1).textContent()) === line);
    await until('the address says so', () => new URL(page.url()).searchParams.get('layout') === 'compact');
    expect(errors).toEqual([]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).not.toMatch(/requests_total\{[^}]*route="\/events"/);
  });

  it('keeps what is typed as it is typed: blanks between words, and an address that is not finished', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    const heading = page.getByLabel('Heading', { exact: true });
    await heading.pressSequentially('Read this next');
    expect(await heading.inputValue()).toBe('Read this next');
    await until('the address says so', () => new URL(page.url()).searchParams.get('heading') === 'Read this next');
    const sheet = page.getByLabel('Style sheet of your pages');
    await sheet.pressSequentially('http');
    const own = page.getByLabel('Page of yours to show the list in');
    await own.pressSequentially(`${origin}/own`);
    // Drawn anew while the field has the focus, as when an answer of the server comes.
    await page.getByRole('radio', { name: 'Grid' }).dispatchEvent('click');
    await until('the form is drawn anew', () => new URL(page.url()).searchParams.get('layout') === 'grid');
    expect([await sheet.inputValue(), await own.inputValue()]).toEqual(['http', `${origin}/own`]);
    expect(new URL(page.url()).searchParams.has('page'), 'asked for when all is typed').toBe(false);
    await page.keyboard.press('Enter');
    await until('the address has the page', () => new URL(page.url()).searchParams.get('page') === `${origin}/own`);
  });

  it('shows no line under the titles where none of its words is chosen, in the frames and in the line to copy', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1`);
    await shows('Phone, light', 5);
    for (const word of ['section', 'date']) await page.getByRole('checkbox', { name: word, exact: true }).uncheck();
    const line = '<div data-afterword="related" data-meta="off"></div>';
    await until('the line to copy says so', async () => (await page.locator('pre').nth(1).textContent()) === line);
    const sections = page.frameLocator('iframe[title="Phone, light"]').locator('[part=section]');
    await until('the frame is loaded anew', async () => (await sections.count()) === 0);
    await shows('Phone, light', 5);
    expect(await sections.count()).toBe(0);
  });

  it('says why these posts, to who has the secret', async () => {
    await page.goto(`${server.url}/preview?post=${origin}/story-1&limit=3`);
    const secret = page.getByLabel('Secret', { exact: true });
    const button = page.getByRole('button', { name: 'Explain' });
    const said = page.getByRole('region', { name: 'Why these posts' });
    await secret.fill('wrong');
    await button.click();
    await until('it is refused', async () => (await said.textContent())?.includes('Forbidden') ?? false);
    // A browser writes each refused request to the console.
    errors.length = 0;
    await secret.fill(site.secret);
    await button.click();
    const reasons = said.locator('.reasons > li');
    await until('each of three posts has its reason', async () => (await reasons.count()) === 3);
    expect(await reasons.first().getByRole('link').textContent()).toMatch(/^Story number [2-6]$/);
    expect(await reasons.first().textContent()).toMatch(/words [\d.]+ × .* = [\d.]+/);
    expect(await reasons.first().getByRole('list', { name: 'In common' }).textContent()).toContain('story');
    expect(page.url()).not.toContain(site.secret);
    expect(await axeFindings(page, { exclude: 'iframe' })).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('says what is wrong with a page of the site', async () => {
    await page.goto(`${server.url}/preview`);
    await page.getByLabel('Address of an article').fill(`${origin}/story-1`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const findings = page.locator('.findings li');
    await until('there are findings', async () => (await findings.count()) > 2);
    const text = (await findings.allTextContents()).join('\n');
    expect(text).toContain('does not load afterword.js');
    expect(text).toContain(`Add ${server.url} to script-src`);
    expect(text).toContain('<link rel="canonical"');
  });

  it('says that a site is unknown', async () => {
    await page.goto(`${server.url}/preview?site=nobody.example`);
    await until(
      'it says so',
      async () => (await page.getByRole('alert').textContent())?.includes('nobody.example') ?? false,
    );
    expect(await page.getByRole('alert').textContent()).toContain('there is none of this name here');
  });

  it('begins with a post that others are related to, although another one is read more', async () => {
    const alone = `${origin}/alone`;
    const metadata = { canonical_url: alone, title: 'Zwieback', full_content: 'Quokka zymurgy' };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
    const read = (url: string) => ({ idsite: site.apikey, action: 'pageview', url });
    const events = [read(alone), read(alone), read(`${origin}/story-2`)];
    await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': BROWSER },
      body: JSON.stringify({ events }),
    });
    await until('both are read most', async () => {
      const top = await getJson<{ data: unknown[] }>(server, '/v2/top/posts', { apikey: site.apikey, days: 30 });
      return top.data.length === 2;
    });
    await page.goto(`${server.url}/preview`);
    const shown = page.getByLabel('Related to this post');
    const isFound = async () => (await shown.getAttribute('placeholder')) === `${origin}/story-2`;
    await until('an example is found', isFound);
    await shows('Phone, light', 5);
    expect(await linksIn('Phone, light').first().textContent()).toMatch(/^Story number/);
  });

  it.each([
    ['light', 1400],
    ['dark', 390],
  ] as const)('has no fault that axe finds, in %s, and fits %i pixels', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/preview?kind=top&accent=%23b3261e`);
    await page.getByRole('heading', { name: 'Copy this' }).waitFor();
    expect(await axeFindings(page, { exclude: 'iframe' })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
