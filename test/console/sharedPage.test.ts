// A link to one view in a real browser: made and revoked by an editor, opened by a guest who has nothing but its address.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { startServer, type TestServer, type TestSite } from '../support/server.ts';
import { addReadSite, HOSTILE, readShown, settled, signInAt } from './newsroomPage.ts';

describeInBrowser('a link to one view of the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let editor: Page;
  let guest: Page;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];
  const referrers = new Set<string>();
  const asked: string[] = [];
  const name = HOSTILE.slice(0, 80);
  let address = '';

  const openPage = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const context = await browser().newContext({ viewport: { width, height: 900 }, colorScheme });
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    return page;
  };

  beforeAll(async () => {
    server = await startServer({ flags: ['--access-log'] });
    site = await addReadSite(server, 'read.example');
    editor = await openPage(1440, 'light');
    guest = await openPage(390, 'dark');
    guest.on('request', (request) => {
      asked.push(request.url());
      referrers.add(request.headers().referer ?? '');
    });
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await server.stop();
  });

  it('is made by who is signed in with the write secret, with the keyboard alone', async () => {
    await signInAt(editor, `${server.url}/console/?section=Food`, { ...site, secret: site.write_secret });
    await editor.getByRole('button', { name: 'Share' }).press('Enter');
    const dialog = editor.getByRole('dialog', { name: 'Share this view' });
    await dialog.getByText('There is none.').waitFor();
    await dialog.getByText('it stands in this list, and on the page of the link').waitFor();
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByText('Give a name of 1 to 80 characters').waitFor();
    await editor.keyboard.type(name);
    await editor.keyboard.press('Enter');
    address = await dialog.getByLabel('The link, shown this once').inputValue();
    expect(address).toMatch(/\/console\/share\/[\da-f]{12}\/#[\w-]{43}$/);
    await dialog.getByRole('listitem').getByText(name, { exact: true }).first().waitFor();
    expect(await axeFindings(editor)).toEqual([]);
    await editor.setViewportSize({ width: 390, height: 900 });
    await editor.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(editor)).toEqual([]);
    await editor.setViewportSize({ width: 1440, height: 900 });
    await editor.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('shows a guest the same figures, and leads nowhere else', async () => {
    await guest.goto(address);
    await settled(guest);
    expect(await readShown(guest)).toEqual(await readShown(editor));
    expect(await guest.getByRole('list', { name: 'Filters' }).innerText()).toContain('Food');
    await guest.getByText(name, { exact: true }).waitFor();
    await guest.getByRole('button', { name: /^Visitors/ }).click();
    await settled(guest);
    expect(await guest.locator('nav, [aria-pressed].name, .fact[aria-pressed], .period, input').count()).toBe(0);
    expect(await guest.getByRole('button', { name: /Share|Sign out/ }).count()).toBe(0);
    expect(await axeFindings(guest)).toEqual([]);
    await guest.setViewportSize({ width: 1440, height: 900 });
    await guest.emulateMedia({ colorScheme: 'light' });
    expect(await axeFindings(guest)).toEqual([]);
  });

  it('reaches no log and no referrer, is opened again by its cookie, and opens no other page', async () => {
    await guest.goto('about:blank');
    await guest.goto(address.replace(/#.*/, ''));
    await settled(guest);
    const token = address.split('#')[1]!;
    expect([...referrers]).toEqual(['']);
    expect(asked.filter((url) => url.split('#')[0]!.includes(token))).toEqual([]);
    const cookies = await contexts[1]!.cookies(address);
    expect(cookies.map((cookie) => [cookie.name, cookie.httpOnly, cookie.path])).toEqual([
      ['afterword_share', true, new URL(address).pathname.replace(/\/$/, '')],
    ]);
    const log = JSON.stringify(server.log());
    expect(log).toContain('/console/share/');
    for (const secret of [token, cookies[0]!.value]) expect(log).not.toContain(secret);
    await guest.goto(`${server.url}/console/`);
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('is revoked in the console, and the guest is shown what to do', async () => {
    await guest.goto(address);
    await settled(guest);
    await editor.getByRole('button', { name: 'Share' }).click();
    const row = editor.getByRole('dialog').getByRole('listitem');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke now' }).click();
    await editor.getByText('There is none.').waitFor();
    // The next question of the open page is refused.
    await guest.getByRole('button', { name: /^Engaged minutes/ }).click();
    await guest.getByRole('heading', { name: 'This link opens nothing' }).waitFor();
    expect(await axeFindings(guest)).toEqual([]);
    await guest.goto('about:blank');
    await guest.goto(address);
    await guest.getByRole('heading', { name: 'This link opens nothing' }).waitFor();
  });

  it('stays in the dialog where the next one is not made', async () => {
    const maker = await openPage(1440, 'light');
    await signInAt(maker, `${server.url}/console/`, { ...site, secret: site.write_secret });
    await maker.getByRole('button', { name: 'Share' }).click();
    const dialog = maker.getByRole('dialog', { name: 'Share this view' });
    await dialog.getByLabel('Name').fill('Kept');
    await dialog.getByLabel('Name').press('Enter');
    const link = dialog.getByLabel('The link, shown this once: Kept');
    const shown = await link.inputValue();
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByText('Give a name of 1 to 80 characters').waitFor();
    expect(await link.inputValue()).toBe(shown);
    const row = dialog.getByRole('listitem').filter({ hasText: 'Kept' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke now' }).click();
    await dialog.getByText('There is none.').waitFor();
  });

  it('is not made in a session that has ended, and is after the sign-in', async () => {
    const late = await openPage(1440, 'light');
    await signInAt(late, `${server.url}/console/`, { ...site, secret: site.write_secret });
    await late.getByRole('button', { name: 'Share' }).click();
    await late.getByText('There is none.').waitFor();
    await late.context().clearCookies();
    await late.getByLabel('Name').fill('Too late');
    await late.getByLabel('Name').press('Enter');
    await late.getByText('Nothing was changed: your session has ended').waitFor();
    const again = late.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Secret').fill(site.write_secret);
    await late.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await late.getByLabel('Name').press('Enter');
    await late.getByRole('listitem').filter({ hasText: 'Too late' }).waitFor();
  });

  it('is listed to who signs in again', async () => {
    const late = await openPage(1440, 'light');
    await signInAt(late, `${server.url}/console/`, { ...site, secret: site.write_secret });
    await settled(late);
    await late.context().clearCookies();
    await late.getByRole('button', { name: 'Share' }).click();
    await late.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Secret').fill(site.write_secret);
    await late.keyboard.press('Enter');
    await late.getByRole('listitem').filter({ hasText: 'Too late' }).waitFor();
  });

  it('is not made by who may only read, who sees why', async () => {
    const reader = await openPage(1440, 'light');
    await signInAt(reader, `${server.url}/console/`, site);
    await reader.getByRole('button', { name: 'Share' }).click();
    await reader.getByText('Who is signed in with the write secret makes and revokes links.').waitFor();
    expect(await reader.getByRole('button', { name: 'Make a link' }).count()).toBe(0);
    expect(errors).toEqual([]);
    expect(await editor.title()).not.toBe('ran');
  });
});
