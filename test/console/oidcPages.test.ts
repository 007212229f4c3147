// Sign-in by OpenID Connect in a real browser, at a provider of another site, without and below the prefix of a proxy.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { doneInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { freePorts } from '../support/ports.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { CLIENT, openProvider, type SignInProvider } from '../support/signInProvider.ts';
import { addReadSite, expectAccessible, keptIn, openDesktop, openPrefixProxy, settled, ZONE } from './newsroomPage.ts';

const GRANTS = [
  { claim: 'email', value: 'ann@read.example', site: 'read.example', role: 'act' },
  { claim: 'groups', value: 'desk', site: '*', role: 'read' },
  { claim: 'groups', value: 'admins', role: 'operator' },
];
const ANN = { sub: 'subject-of-ann', email: 'ann@read.example', email_verified: true };
const DESK = { sub: 'subject-of-bob', groups: ['desk'] };
const ADMIN = { sub: 'subject-of-eve', groups: ['admins'] };

describeInBrowser('sign-in by OpenID Connect', (browser) => {
  let provider: SignInProvider;
  let proxy: Awaited<ReturnType<typeof openPrefixProxy>>;
  let server: TestServer;
  /** Of another site than the provider, which is at 127.0.0.1. */
  let origin: string;
  let port: number;
  let context: BrowserContext;
  let page: Page;
  const folder = makeDataDir();
  const errors: string[] = [];

  /** Starts the server on its data, as the operator who has changed the file does. */
  async function start(of: { redirect_uri?: string; grants: object[] }, dataDir?: string): Promise<void> {
    const file = join(folder, 'oidc.json');
    const { client_id } = CLIENT;
    const written = { issuer: provider.issuer, client_id, client_secret_file: 'secret', name: 'Example login' };
    writeFileSync(file, JSON.stringify({ ...written, scope: 'openid email groups', ...of }));
    writeFileSync(join(folder, 'secret'), `${CLIENT.client_secret}\n`, { mode: 0o600 });
    const flags = ['--port', String(port), '--public-url', origin, '--oidc', file, '--access-log'];
    server = await startServer({ flags, ...(dataDir !== undefined && { dataDir }) });
  }

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    origin = `http://localhost:${port}`;
    proxy = await openPrefixProxy('/stats', `http://127.0.0.1:${port}`);
    const redirectUris = [origin, proxy.url].map((address) => `${address}/console/oidc/callback`);
    provider = await openProvider({ redirectUris });
    await start({ grants: GRANTS });
    await addReadSite(server, 'read.example');
    await addSite(server, 'other.example');
    ({ context, page } = await openDesktop(browser(), errors));
  });
  afterAll(async () => {
    await context?.close();
    await server?.stop();
    proxy?.close();
    await provider?.close();
    await removeDataDirs();
  });

  const link = () => page.getByRole('link', { name: 'Sign in with Example login' });
  const zone = () => page.locator('.bar .zone').textContent();
  const sessionCookie = async () => (await context.cookies()).find(({ name }) => name === 'afterword_console');

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    expect(await sessionCookie()).toBeUndefined();
    // The next account is not that of the provider's own session.
    await context.clearCookies();
    errors.length = 0;
  }

  it('begins in the form by keyboard, and ends where it began, signed in to act', async () => {
    provider.account = ANN;
    await page.goto(`${origin}/console/?metric=visitors&section=Food`);
    await link().waitFor();
    await expectAccessible(page, 'sign-in');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign in with Example login');
    // Whether anyone is signed in was asked before, and refused.
    errors.length = 0;
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${origin}/console/?metric=visitors&section=Food`);
    expect(await zone()).toBe(`${ZONE}, may act`);
    expect(errors).toEqual([]);
  });

  it('leaves the cookie of every session and nothing else, in no place that scripts read', async () => {
    expect(await sessionCookie()).toMatchObject({
      path: '/console',
      httpOnly: true,
      sameSite: 'Strict',
      secure: false,
    });
    expect((await context.cookies(`${origin}/console/oidc/callback`)).map(({ name }) => name)).toEqual([
      'afterword_console',
    ]);
    const kept = await keptIn(page);
    for (const part of ['eyJ', 'code=', 'state=', ANN.email, ANN.sub, (await sessionCookie())!.value])
      expect(kept).not.toContain(part);
    await page.goBack();
    await page.goForward();
    await settled(page);
    expect(await keptIn(page)).not.toContain('code=');
  });

  it('makes links to views, which the command lists while the server runs', async () => {
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Name').fill('For the board');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.locator('dialog input[readonly]').waitFor();
    await page.keyboard.press('Escape');
    const listed = await doneInProcess(['share', 'list', 'read.example', '--json', '--data', server.dataDir]);
    expect(JSON.parse(listed)).toMatchObject([{ name: 'For the board' }]);
  });

  it('ends with "Sign out", after which a bookmark of the callback opens nothing', async () => {
    await signOut();
    await page.goto(`${origin}/console/oidc/callback?code=x&state=y`);
    await page.getByText('This sign-in is over').waitFor();
    await expectAccessible(page, 'refusal');
    await page.getByRole('link', { name: 'Other ways to sign in' }).press('Enter');
    await page.getByLabel('Site ID').waitFor();
    expect(page.url()).toBe(`${origin}/console/`);
    errors.length = 0;
  });

  it('offers several sites by keyboard, and opens the one that is chosen, to read', async () => {
    provider.account = DESK;
    await page.goto(`${origin}/console/?metric=visitors`);
    await link().press('Enter');
    await page.getByRole('heading', { name: 'Which site?' }).waitFor();
    await expectAccessible(page, 'choice');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('read.example');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${origin}/console/?metric=visitors`);
    expect(await zone()).toBe(`${ZONE}, may read`);
    await signOut();
  });

  it('opens the operator’s pages, and the console of the site where it began', async () => {
    provider.account = ADMIN;
    await page.goto(`${origin}/console/site/read.example/?section=Food`);
    await link().press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${origin}/console/site/read.example/?section=Food`);
    expect(await zone()).toBe(`${ZONE}, operator`);
    await page.getByRole('link', { name: 'All sites' }).click();
    await page.locator('.sites tbody tr').first().waitFor();
    await signOut();
  });

  it('says in words that an account may open nothing, and that its owner cancelled', async () => {
    provider.account = { sub: 'subject-of-carl' };
    await page.goto(`${origin}/console/`);
    await link().press('Enter');
    await page.getByText('Your account may not open any site here; ask your operator.').waitFor();
    await context.clearCookies();
    provider.account = undefined;
    await link().press('Enter');
    await page.getByText('Example login did not sign you in, or you cancelled it.').waitFor();
    expect(await sessionCookie()).toBeUndefined();
    errors.length = 0;
  });

  it('works below the prefix of a proxy, and a restart without a grant ends its sessions alone', async () => {
    provider.account = DESK;
    await server.stop();
    const redirect_uri = `${proxy.url}/console/oidc/callback`;
    await start({ redirect_uri, grants: GRANTS }, server.dataDir);
    await page.goto(`${proxy.url}/console/?metric=visitors`);
    await link().press('Enter');
    await page.getByRole('link', { name: 'read.example' }).press('Enter');
    await settled(page);
    expect(page.url()).toBe(`${proxy.url}/console/?metric=visitors`);
    expect(await sessionCookie()).toMatchObject({ path: '/stats/console', httpOnly: true, sameSite: 'Strict' });
    const log = () => JSON.stringify(server.log());
    expect(log()).toContain('signed in to the console by OpenID Connect');
    await server.stop();
    for (const part of ['eyJ', 'code=', 'state=', DESK.sub, CLIENT.client_secret]) expect(log()).not.toContain(part);

    await start({ redirect_uri, grants: GRANTS.slice(0, 2) }, server.dataDir);
    await page.reload();
    await settled(page);
    await page.goto(`${proxy.url}/console/?view=setup`);
    const tag = page.locator('.paste .snippet code').first();
    await tag.waitFor();
    expect(await tag.innerText(), 'readers reach the server at its public address').toContain(
      `src="${origin}/afterword.js"`,
    );
    await server.stop();
    await start({ redirect_uri, grants: GRANTS.slice(0, 1) }, server.dataDir);
    await page.reload();
    await page.getByLabel('Site ID').waitFor();
    await link().press('Enter');
    await page.getByText('Your account may not open any site here').waitFor();
  });
});
