// The console that stays open while its server is away, is upgraded, or a proxy answers in its place.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

const REFUSAL = { status: 403, json: { success: false, code: 403, message: 'Forbidden' } };
const TAGS = '**/api/v2/analytics/tags?**';

describeInBrowser('the console while its server is away', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'away.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const signIn = () => signInAt(page, `${server.url}/console/`, site);
  const tags = () => page.getByRole('region', { name: 'Tags' });

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
});
