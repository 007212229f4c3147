// A browser that keeps no cookie of the server: that a session was opened is lost with it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

const SAYS = 'This browser keeps no cookie of this server';

describeInBrowser('a browser that keeps no cookie', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'cookies.example', (opened) => {
    ({ server, site, page } = opened);
  });

  /** Answers of the server reach the page without their cookie. */
  const refuseCookies = () =>
    page.route('**/session', async (route) => {
      const asked = route.request();
      const answer = await fetch(asked.url(), {
        method: asked.method(),
        headers: asked.headers(),
        body: asked.postData(),
      });
      await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() });
    });

  it('has the reason in the form that signs in', async () => {
    await refuseCookies();
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Site ID').fill(site.apikey);
    await page.getByLabel('Secret').fill(site.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(SAYS).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await settled(page);
  });

  it('has the reason on the page of a link', async () => {
    await signInAt(page, `${server.url}/console/`, { ...site, secret: site.write_secret });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Name').fill('For the board');
    await page.keyboard.press('Enter');
    const address = await page.getByLabel('The link, shown this once').inputValue();
    await refuseCookies();
    await page.goto(address);
    await page.getByRole('alert').getByText(SAYS).waitFor();
    expect(await page.getByText('Forbidden').count()).toBe(0);
  });
});
