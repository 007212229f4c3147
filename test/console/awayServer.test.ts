// The console that stays open while its server is away, is upgraded, or a proxy answers in its place.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

const REFUSAL = { status: 403, json: { success: false, code: 403, message: 'Forbidden' } };
const PATIENCE = { timeout: 60_000 };
const TAGS = '**/api/v2/analytics/tags?**';
const BREAD = 'http://localhost:9/bread';
const NOW = '**/api/v2/analytics/now?**';

describeInBrowser('the console while its server is away', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'away.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const signIn = () => signInAt(page, `${server.url}/console/`, site);
  const tags = () => page.getByRole('region', { name: 'Tags' });

  /** Signs in, then opens a view whose timers wait for the test. */
  async function openLive(search: string): Promise<void> {
    await signIn();
    await page.clock.install();
    await page.goto(`${server.url}/console/${search}`);
    await page.locator('[data-figure=visitors]').waitFor();
  }

  it('stays open where a question is refused and the session cannot be asked for', async () => {
    await signIn();
    await page.route(TAGS, (route) => route.fulfill(REFUSAL));
    await page.route('**/console/session', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/session'));
    await page.getByRole('button', { name: '28 days' }).click();
    await failed;
    await tags().getByText('Forbidden').waitFor();
    await page.unrouteAll();
    await tags().getByRole('button', { name: 'Try again' }).click();
    await settled(page);
    expect(await page.getByLabel('Site ID').count()).toBe(0);
    expect(await tags().getByRole('button', { name: 'wheat' }).count()).toBe(1);
  });

  it('asks for no secret where it is not known who is signed in, and is as it was once the server answers', async () => {
    await signIn();
    await page.route('**/console/session', (route) => route.abort());
    await page.reload();
    await page.getByText('The server did not answer.').waitFor();
    expect(await page.getByLabel('Site ID').count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await settled(page);
  });

  it('has a main part with a heading, and nothing that axe finds, while it is not known who is signed in', async () => {
    await page.route('**/session', () => undefined);
    for (const path of ['', 'share/0123456789ab/#not-a-link']) {
      await page.goto(`${server.url}/console/${path}`);
      await page.getByRole('main').getByRole('heading', { name: 'Loading…', level: 1 }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it.each([
    [429, 'A page with status 429 came instead of an answer.'],
    [200, 'A page with status 200 came instead of an answer.'],
    [502, 'The server did not answer.'],
  ])('says what came where a proxy answers with a page and status %i', async (status, says) => {
    await signIn();
    await page.route(TAGS, (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<!doctype html><p>Of a proxy.</p>' }),
    );
    await page.getByRole('button', { name: '28 days' }).click();
    await tags().getByText(says).waitFor();
  });

  it('is loaded anew where an upgrade has replaced the files of the page that is open', async () => {
    await signIn();
    let isUpgraded = true;
    await page.route(/\/now[A-Z]\w+-[^/]*\.js$/, (route) =>
      isUpgraded ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await page.getByText('This part of the console could not be loaded.').waitFor();
    // The page that is loaded names the files of the new release.
    page.once('domcontentloaded', () => {
      isUpgraded = false;
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-figure=visitors]').waitFor();
    expect(new URL(page.url()).search).toBe('?view=now');
  });

  it('says to who opens a link that its page could not be loaded, and loads it again', async () => {
    const file = /\/sharedPage-[^/]*\.js$/;
    await page.route(file, (route) => route.abort());
    await page.goto(`${server.url}/console/share/0123456789ab/#not-a-link`);
    await page.getByText('This part of the console could not be loaded.').waitFor();
    await page.unroute(file);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This link opens nothing' }).waitFor();
  });

  it('updates by itself after a question that was refused though the session had not ended', async () => {
    await openLive('?view=now');
    await page.route(NOW, (route) => route.fulfill(REFUSAL));
    const refused = page.waitForResponse(
      (answer) => answer.url().includes('/analytics/now') && answer.status() === 403,
    );
    await page.clock.runFor(10_000);
    await (await refused).finished();
    await page.unrouteAll();
    let isAnswered = false;
    page.on('response', (answer) => {
      if (answer.url().includes('/analytics/now') && answer.ok()) isAnswered = true;
    });
    await expect.poll(() => page.clock.runFor(1_000).then(() => isAnswered), PATIENCE).toBe(true);
  });

  it('leaves the keyboard at the table whose figures are asked for again', async () => {
    await signIn();
    await page.route(TAGS, (route) => route.abort());
    await page.getByRole('button', { name: '28 days' }).click();
    await tags().getByText('The server did not answer.').waitFor();
    await page.unrouteAll();
    await tags().getByRole('button', { name: 'Try again' }).press('Enter');
    await settled(page);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Tags');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('CSV of Tags');
  });

  it.each([
    ['', 'Tags', TAGS, () => tags().getByRole('button', { name: 'wheat' })],
    ['?view=lists', 'Totals', '**/api/v2/analytics/series?**', () => page.locator('[data-total=clicks]')],
  ])('keeps the figures of %s %s that are asked for again in vain', async (search, _, asked, figures) => {
    await signIn();
    await page.clock.install();
    await page.goto(`${server.url}/console/${search}`);
    await settled(page);
    expect(await figures().count()).toBe(1);
    await page.route(asked, (route) => route.abort());
    await page.clock.fastForward(11 * MINUTE);
    await page.getByText('The server did not answer.').first().waitFor();
    expect(await figures().count()).toBe(1);
  });

  it('keeps a verdict, the result of a headline test and the shares of a post that are asked for again in vain', async () => {
    const keys = { apikey: site.apikey, secret: site.write_secret };
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    await postJson(server, '/v2/experiments', { ...keys, add: { name: 'grid', slot: 'end', variants } });
    const metadata = { canonical_url: BREAD, title: 'Of bread', alternatives: [{ title: 'Of warm bread' }] };
    await postJson(server, '/v2/metadata/posts', { ...keys, metadata });
    await signIn();
    await page.clock.install();
    const article = (name: string) => page.getByRole('article', { name });
    for (const [search, ...shown] of [
      ['?view=lists', [article('Experiment grid'), '.verdict'], [article('Headline test of Of bread'), '.says']],
      [`?view=post&post=${encodeURIComponent(BREAD)}`, [page.getByRole('region', { name: 'Totals' }), '.more-totals']],
    ] as const) {
      await page.goto(`${server.url}/console/${search}`);
      await settled(page);
      const read = () => Promise.all(shown.map(([part, known]) => part.locator(known).innerText()));
      const before = await read();
      await page.route('**/api/v2/**', (route) => route.abort());
      await page.clock.fastForward(11 * MINUTE);
      for (const [part] of shown) await part.getByRole('alert').first().waitFor();
      expect(await read()).toEqual(before);
      await page.unrouteAll();
    }
  });

  it('announces on a wall that figures are no longer updated, and not each answer', async () => {
    await openLive('?view=wall');
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const status = (target instanceof Element ? target : target.parentElement)?.closest('[role=status]');
          if (status?.textContent) said.push(status.textContent);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said);
    const time = () => page.locator('.foot').innerText();
    const before = await time();
    await page.route(NOW, async (route) => {
      const body = await (await route.fetch()).json();
      body.data[0].period_end = new Date(Date.now() + 60_000).toISOString();
      await route.fulfill({ json: body });
    });
    await page.clock.runFor(10_000);
    await expect.poll(time, PATIENCE).not.toBe(before);
    expect(await said()).toEqual([]);
    await page.unrouteAll();
    await page.route(NOW, (route) => route.abort());
    await page.clock.runFor(10_000);
    await expect.poll(time, PATIENCE).toMatch(/^The server did not answer\. .* Last updated \d\d:\d\d:\d\d$/);
    expect((await said()).at(-1)).toMatch(/^The server did not answer\.[^\d]*$/);
  });
});
