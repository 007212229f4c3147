// The console in several tabs of one browser, which share one session: another tab signs in, or out, meanwhile.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { addSite, type TestServer, type TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('the console in several tabs', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'tabs.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const signIn = (tab: Page) => signInAt(tab, `${server.url}/console/`, { ...site, secret: site.write_secret });

  /** Another tab signs in: its session replaces that of the others. @param secret Default: the one that may act. */
  async function signInElsewhere(secret = site.write_secret, to = site): Promise<void> {
    await page.context().clearCookies();
    const tab = await page.context().newPage();
    await signInAt(tab, `${server.url}/console/`, { ...to, secret });
    await tab.close();
  }

  it('signs out of the session that another tab has opened since', async () => {
    await signIn(page);
    await signInElsewhere();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    const { code } = await page.evaluate(async () => await (await fetch('session')).json());
    expect(code).toBe(403);
  });

  it('keeps what is typed where the session has ended, and writes it after a sign-in in another tab', async () => {
    await signIn(page);
    await page.getByText('Write what happened').click();
    const field = page.getByLabel('What', { exact: true });
    await field.fill('A deploy');
    await page.context().clearCookies();
    const write = page.getByRole('button', { name: 'Write', exact: true });
    await write.click();
    await page.getByText('Sign in with the write secret, then repeat it').waitFor();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    expect(await field.inputValue()).toBe('A deploy');
    await signInElsewhere();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await again.waitFor({ state: 'detached' });
    await write.click();
    await page.locator('.annotations ol').getByText('A deploy').first().waitFor({ state: 'attached' });
  });

  it('keeps what is typed where another tab has signed in to read only, and asks for the write secret', async () => {
    await signIn(page);
    await page.getByText('Write what happened').click();
    const field = page.getByLabel('What', { exact: true });
    await field.fill('A newsletter');
    await signInElsewhere(site.secret);
    const write = page.getByRole('button', { name: 'Write', exact: true });
    await write.click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByText('You are signed in to read only.').waitFor();
    expect(await field.inputValue()).toBe('A newsletter');
    await again.getByLabel('Secret').fill(site.write_secret);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await write.click();
    await page.locator('.annotations ol').getByText('A newsletter').first().waitFor({ state: 'attached' });
  });

  it('stays the page of its site where another tab has signed in to another site, and keeps what is typed', async () => {
    const other = await addSite(server, 'other-tab.example', '--domain', 'other-tab.example');
    await signIn(page);
    await page.getByText('Write what happened').click();
    const field = page.getByLabel('What', { exact: true });
    await field.fill('A strike');
    await signInElsewhere(other.write_secret, other);
    const write = page.getByRole('button', { name: 'Write', exact: true });
    await write.click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByText('You are signed in to other-tab.example, and this page is of tabs.example.').waitFor();
    expect(await page.locator('.site').innerText()).toBe('tabs.example');
    expect(await again.getByLabel('Site ID').inputValue()).toBe('tabs.example');
    expect(await field.inputValue()).toBe('A strike');
    await again.getByLabel('Secret').fill(site.write_secret);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await write.click();
    await page.locator('.annotations ol').getByText('A strike').first().waitFor({ state: 'attached' });
    await signInElsewhere(other.secret, other);
    await page.reload();
    await settled(page);
    expect(await page.locator('.site').innerText()).toBe('other-tab.example');
  });

  it('opens all sites for the operator who signs in after a site has signed out', async () => {
    const made = await runInProcess(['operator', 'token', '--json', '--data', server.dataDir]);
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use the operator’s token' }).click();
    await page.getByLabel('Token').fill(JSON.parse(made.stdout).token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('Sites · Operator · Afterword');
  });
});
