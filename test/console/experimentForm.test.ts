// The form of a new experiment: variants that compare sets of rules of editors.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, signInAt } from './newsroomPage.ts';

describeInBrowser('the form of a new experiment', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'form.example', (opened) => {
    ({ server, site, page } = opened);
  });

  it('compares lists with and without a set of rules, and refuses a set that is not there at its field', async () => {
    const rules = [{ pin: 'http://localhost:9/bread', position: 1 }];
    const set = { name: 'newsroom', always: true, rules };
    await postJson(server, '/v2/rules', { apikey: site.apikey, secret: site.write_secret, set });
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
    await page.getByRole('button', { name: 'New experiment' }).click();
    const form = page.getByRole('form', { name: 'New experiment' });
    await form.getByLabel('Name').first().fill('pins');
    await form.getByLabel('Slot whose list changes').fill('end');
    const field = form.getByLabel('Set of rules');
    await field.fill('night');
    await form.getByRole('button', { name: 'See what would begin' }).click();
    await form.getByText('takes rules of a set that is there: newsroom').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('none');
    await form.getByRole('button', { name: 'See what would begin' }).click();
    await form.getByText('variant 50%: rules none').waitFor();
    await form.getByRole('button', { name: 'Start pins' }).click();
    await page.getByRole('article', { name: 'Experiment pins' }).waitFor();
    await page.getByText('What happened (1)').waitFor();
    const { data } = await getJson<{ data: unknown[] }>(server, '/v2/experiments', {
      apikey: site.apikey,
      secret: site.secret,
    });
    expect(data).toMatchObject([{ name: 'pins', variants: [{ name: 'control' }, { name: 'variant', rules: 'none' }] }]);
  });

  it('leads to the first field that is wrong, which is not on the screen of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
    await page.getByRole('button', { name: 'New experiment' }).click();
    const form = page.getByRole('form', { name: 'New experiment' });
    const name = form.getByLabel('Name').first();
    await name.fill('NOT A NAME');
    await form.getByLabel('Slot whose list changes').fill('far');
    await form.getByRole('button', { name: 'See what would begin' }).press('Enter');
    await form.getByRole('alert').waitFor();
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    const { y } = (await name.boundingBox())!;
    expect([y > 0, y < 844]).toEqual([true, true]);
    // What is typed elsewhere stays where it is typed.
    await form.getByLabel('Heading').pressSequentially('On');
    expect(await form.getByLabel('Heading').inputValue()).toBe('On');
  });

  it('says nothing wrong of a variant that took the place of a removed one', async () => {
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
    await page.getByRole('button', { name: 'New experiment' }).click();
    const form = page.getByRole('form', { name: 'New experiment' });
    await form.getByLabel('Name').first().fill('three');
    await form.getByLabel('Slot whose list changes').fill('aside');
    for (const _ of [2, 3]) await form.getByRole('button', { name: 'Add a variant' }).click();
    const second = form.getByRole('group', { name: 'Variant 2' });
    await second.getByLabel('Name').fill('NOT A NAME');
    for (const share of await form.getByLabel('Percent of readers').all()) await share.fill('25');
    await form.getByRole('button', { name: 'See what would begin' }).click();
    await second.getByRole('alert').waitFor();
    await second.getByRole('button', { name: 'Remove variant 2' }).click();
    expect(await second.getByLabel('Name').inputValue()).toBe('variant-3');
    expect(await second.getByRole('alert').count()).toBe(0);
  });

  const fill = async (name: string) => {
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
    await page.getByRole('button', { name: 'New experiment' }).click();
    const form = page.getByRole('form', { name: 'New experiment' });
    await form.getByLabel('Name').first().fill(name);
    await form.getByLabel('Slot whose list changes').fill('foot');
    return form;
  };

  it('removes one variant by a double click, and the keyboard continues behind the last one that was removed', async () => {
    const form = await fill('four');
    for (const _ of [2, 3]) await form.getByRole('button', { name: 'Add a variant' }).click();
    await form.getByRole('button', { name: 'Remove variant 2' }).dblclick();
    expect(await form.getByRole('group').count()).toBe(3);
    await form.getByRole('button', { name: 'Remove variant 2' }).press('Enter');
    expect(await form.getByRole('group').count()).toBe(2);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add a variant');
  });

  it('starts nothing while the key is held down that asked what would begin', async () => {
    const form = await fill('held');
    await form.getByLabel('Layout').selectOption('grid');
    await form.getByLabel('Name').first().focus();
    await page.keyboard.down('Enter');
    await form.getByText('held would begin now').waitFor();
    for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await form.getByRole('button', { name: 'Start held' }).getAttribute('aria-disabled')).not.toBe('true');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Experiment held' }).waitFor();
  });
});
