// A session of the console that ends while its page is open: the page stays below a sign-in, with what is typed there.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { addSite, type TestServer, type TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('a session that ends while the page is open', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'ends.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const signIn = (tab: Page, search = '') =>
    signInAt(tab, `${server.url}/console/${search}`, { ...site, secret: site.write_secret });

  const again = () => page.getByRole('dialog', { name: 'Sign in again' });

  /** A form of the page is half filled in, and the next question of the page is refused. */
  async function endWhileTyping() {
    await page.getByText('Write what happened').click();
    const what = page.getByLabel('What', { exact: true });
    await what.fill('A deploy');
    await page.context().clearCookies();
    await page.getByRole('button', { name: '90 days' }).click();
    await again().getByText('Your session has ended.').waitFor();
    return what;
  }

  /** The session ends when the next change arrives: a question that is under way meanwhile asks for no sign-in. */
  async function endAtNextChange(): Promise<void> {
    let isOver = false;
    await page.route(
      (url) => url.pathname.startsWith('/console/api/'),
      async (route) => {
        const isFirst = !isOver && route.request().method() === 'POST';
        isOver ||= isFirst;
        if (isFirst) await page.context().clearCookies();
        await route.fallback();
      },
    );
  }

  it('keeps what is typed, which can be sent after the sign-in', async () => {
    await signIn(page);
    const what = await endWhileTyping();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await again().getByLabel('Site ID').inputValue()).toBe(site.apikey);
    await again().getByLabel('Secret').fill('wrong');
    await page.keyboard.press('Enter');
    await again().getByText('Site ID and secret do not belong together.').waitFor();
    await again().getByLabel('Secret').fill(site.write_secret);
    await page.keyboard.press('Enter');
    await again().waitFor({ state: 'detached' });
    await settled(page);
    expect(await page.getByText('Forbidden').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('90 days');
    expect(await what.inputValue()).toBe('A deploy');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written.').waitFor();
  });

  it('keeps what is typed where the read secret is given, and asks for the write secret', async () => {
    await signIn(page);
    const what = await endWhileTyping();
    await again().getByLabel('Secret').fill(site.secret);
    await page.keyboard.press('Enter');
    await again().getByText('You are signed in to read only.').waitFor();
    expect(await what.inputValue()).toBe('A deploy');
    await page.reload();
    await settled(page);
    expect(await page.getByText('Write what happened').count()).toBe(0);
  });

  it('asks for a sign-in where a change is refused, which can be repeated then', async () => {
    await signIn(page);
    await page.getByText('Write what happened').click();
    await page.getByLabel('What', { exact: true }).fill('A deploy');
    await endAtNextChange();
    const write = page.getByRole('button', { name: 'Write', exact: true });
    await write.click();
    await again().getByLabel('Secret').fill(site.write_secret);
    await page.keyboard.press('Enter');
    await again().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Write');
    await write.click();
    await page.getByText('Written.').waitFor();
  });

  it('pins a post and removes the rule after the sign-ins that each of them asks for', async () => {
    const signInAgain = async () => {
      await again().getByLabel('Secret').fill(site.write_secret);
      await page.keyboard.press('Enter');
      await again().waitFor({ state: 'detached' });
    };
    await signIn(page, `?view=post&post=${encodeURIComponent('http://localhost:9/bread')}`);
    await page.getByText('Pin it in related lists').click();
    const until = page.getByLabel('Until');
    await until.fill('2040-01-01T10:00');
    await endAtNextChange();
    const pin = page.getByRole('button', { name: 'Pin', exact: true });
    await pin.click();
    await signInAgain();
    expect(await until.inputValue()).toBe('2040-01-01T10:00');
    await pin.click();
    await page.getByText('Written: related lists follow').waitFor();
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    const rules = page.getByRole('region', { name: 'Rules of editors' });
    const remove = rules.getByRole('button', { name: 'Remove rule 1' });
    await endAtNextChange();
    await remove.click();
    await signInAgain();
    await remove.click();
    await rules.getByText('No rule yet').waitFor();
  });

  it('shows the page again where another tab has signed in', async () => {
    await signIn(page);
    const what = await endWhileTyping();
    const tab = await page.context().newPage();
    await signIn(tab);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await again().waitFor({ state: 'detached' });
    await settled(page);
    expect(await what.inputValue()).toBe('A deploy');
  });

  it('keeps the dials as they were moved', async () => {
    await signIn(page, '?view=lists');
    const dial = page.getByRole('region', { name: 'The dial' });
    const slider = dial.getByRole('slider').first();
    await dial.locator('ol a').first().waitFor();
    await page.context().clearCookies();
    await slider.fill('0.5');
    await again().getByLabel('Secret').fill(site.write_secret);
    await page.keyboard.press('Enter');
    await again().waitFor({ state: 'detached' });
    await settled(page);
    expect(await slider.inputValue()).toBe('0.5');
    await expect.poll(() => dial.locator('.trouble').count()).toBe(0);
  });

  it('shows nothing of a site that one has not signed in to', async () => {
    await signIn(page);
    await endWhileTyping();
    const other = await addSite(server, 'other-one.example');
    await again().getByLabel('Site ID').fill(other.apikey);
    await again().getByLabel('Secret').fill(other.secret);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: other.apikey }).waitFor();
    await settled(page);
    expect(await page.locator('[data-total=views]').innerText()).toBe('0');
  });
});
