// Changes in the console that follow one another faster than the server answers, or that others make meanwhile.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, signInAt } from './newsroomPage.ts';

describeInBrowser('quick changes in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'quick.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const open = () => signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });

  const ask = async <T>(path: string): Promise<T[]> =>
    (await getJson<{ data: T[] }>(server, path, { apikey: site.apikey, secret: site.secret })).data;

  it('removes each of several rules, also one that is clicked twice', async () => {
    const pins = ['bread', 'formula', 'hostile'].map((path, at) => ({
      pin: `http://localhost:9/${path}`,
      position: at + 1,
    }));
    const set = { name: 'newsroom', always: true, rules: pins };
    await postJson(server, '/v2/rules', { apikey: site.apikey, secret: site.write_secret, set });
    await open();
    const rules = page.getByRole('region', { name: 'Rules of editors' });
    await rules.getByRole('button').nth(2).waitFor();
    const remove = (...places: readonly number[]) =>
      rules.locator('li button').evaluateAll((all, of) => {
        for (const at of of) (all[at] as HTMLButtonElement).click();
      }, places);
    await remove(0, 1);
    await expect.poll(() => rules.locator('li').count(), { timeout: 30_000 }).toBe(1);
    expect(await ask('/v2/rules')).toMatchObject([{ rules: [{ pin: pins[2]?.pin }] }]);
    await remove(0, 0);
    await rules.getByText('No rule yet').waitFor();
    await expect.poll(() => rules.getByRole('status').last().innerText()).toContain('Removed');
    expect(await rules.getByRole('alert').count()).toBe(0);
    expect(await ask('/v2/rules')).toEqual([]);
  });

  it('keeps a rule that another browser writes between its reading and its writing', async () => {
    const [first, second] = ['bread', 'formula'].map((path) => ({ pin: `http://localhost:9/${path}`, position: 1 }));
    const write = (...rules: object[]) =>
      postJson(server, '/v2/rules', {
        ...{ apikey: site.apikey, secret: site.write_secret },
        set: { name: 'newsroom', always: true, rules },
      });
    await write(first!);
    let changes = 0;
    await page.route('**/api/v2/rules?*', async (route) => {
      if (route.request().method() === 'POST' && changes++ === 0) await write(first!, second!);
      await route.continue();
    });
    await open();
    const rules = page.getByRole('region', { name: 'Rules of editors' });
    await rules.getByRole('button', { name: 'Remove rule 1 of newsroom' }).click();
    await expect.poll(() => rules.getByRole('status').last().innerText()).toContain('Removed');
    expect(await ask('/v2/rules')).toMatchObject([{ rules: [second] }]);
    expect(changes).toBe(2);
    await write();
  });

  it('unpins a post that has moved since it was pinned', async () => {
    const send = (path: string, body: object) =>
      postJson(server, path, { apikey: site.apikey, secret: site.write_secret, ...body });
    const [old, moved] = ['http://localhost:9/old-place', 'http://localhost:9/new-place'];
    await send('/v2/metadata/posts', { metadata: { canonical_url: old, title: 'On its way' } });
    await send('/v2/rules', { set: { name: 'newsroom', always: true, rules: [{ pin: old }] } });
    await send('/v2/metadata/posts', { metadata: { canonical_url: moved, title: 'On its way', urls: [old] } });
    const address = `${server.url}/console/?view=post&post=${encodeURIComponent(moved!)}`;
    await signInAt(page, address, { ...site, secret: site.write_secret });
    await page.getByText('Pinned to position 1 of related lists').waitFor();
    await page.getByRole('button', { name: 'Unpin' }).click();
    await expect.poll(() => ask('/v2/rules'), { timeout: 30_000 }).toEqual([]);
  });

  it('asks for the pins of a post again where they could not be read', async () => {
    let fails = true;
    await page.route('**/api/v2/rules?*', (route) => (fails ? route.abort() : route.continue()));
    const post = encodeURIComponent('http://localhost:9/bread');
    await signInAt(page, `${server.url}/console/?view=post&post=${post}`, { ...site, secret: site.write_secret });
    const metadata = page.getByRole('region', { name: 'Metadata' });
    await metadata.getByText('Its pins are not known.').waitFor();
    fails = false;
    await metadata.getByRole('button', { name: 'Try again' }).click();
    await metadata.getByText('Pin it in related lists').waitFor();
  });

  it('keeps the view of a post, and what is typed there, where the post cannot be asked for again', async () => {
    const url = 'http://localhost:9/formula';
    const address = `${server.url}/console/?view=post&post=${encodeURIComponent(url)}`;
    await signInAt(page, address, { ...site, secret: site.write_secret });
    await page.getByText('Write what happened').click();
    const field = page.getByLabel('What', { exact: true });
    await field.fill('Half a sentence');
    await page.route('**/api/v2/metadata/post?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Hide' }).click();
    const metadata = page.getByRole('region', { name: 'Metadata' });
    await metadata.getByText('The server did not answer.').waitFor();
    expect(await field.inputValue()).toBe('Half a sentence');
    await page.unroute('**/api/v2/metadata/post?*');
    await metadata.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This post is hidden').waitFor();
    await metadata.getByRole('button', { name: 'Show', exact: true }).click();
    await metadata.getByText('Shown again').waitFor();
  });

  it('starts no experiment but the one whose beginning was said', async () => {
    await page.route('**/api/v2/experiments?*', async (route) => {
      const { method, body } = { method: route.request().method(), body: route.request().postData() ?? '' };
      // The form is changed meanwhile.
      if (method === 'POST' && body.includes('"early"')) await form.getByLabel('Name').first().fill('late');
      await route.continue();
    });
    await open();
    const form = page.getByRole('form', { name: 'New experiment' });
    await page.getByRole('button', { name: 'New experiment' }).click();
    await form.getByLabel('Name').first().fill('early');
    await form.getByLabel('Slot whose list changes').fill('end');
    await form.getByLabel('Layout').selectOption('grid');
    const said = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await form.getByRole('button', { name: 'See what would begin' }).click();
    await (await said).finished();
    await form.getByRole('button', { name: 'See what would begin' }).click();
    await form.getByText('late would begin now').waitFor();
    expect(await ask('/v2/experiments')).toEqual([]);
    await form.getByRole('button', { name: 'Start late' }).click();
    await page.getByRole('article', { name: 'Experiment late' }).waitFor();
  });

  it('shows the state of an experiment that another editor has stopped while it was asked about', async () => {
    const keys = { apikey: site.apikey, secret: site.write_secret };
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    await postJson(server, '/v2/experiments', { ...keys, add: { name: 'shared', slot: 'aside', variants } });
    await open();
    const card = page.getByRole('article', { name: 'Experiment shared' });
    await card.getByRole('button', { name: 'Stop shared' }).click();
    await postJson(server, '/v2/experiments', { ...keys, stop: 'shared' });
    await card.getByRole('button', { name: 'Stop shared' }).click();
    await card.locator('.state-of.stopped').waitFor();
    expect(await card.getByRole('button', { name: 'Archive shared' }).count()).toBe(1);
  });
});
