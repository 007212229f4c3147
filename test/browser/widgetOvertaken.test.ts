// A slot that is asked for anew while an earlier answer is still on its way, as on the next page of an application: it
// shows what was asked for last, whichever answer comes last.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Answer, articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

describeInBrowser('the list of the next page', (browser) => {
  let stage: Stage;
  let page: Page;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  const listOf = (name: string): Answer =>
    json({ data: records(4, stage.site, (index) => ({ title: `${name} ${index + 1}` })), success: true });
  const titles = () => page.locator('[data-afterword] a').allTextContents();
  const said = (): Promise<string[]> => page.evaluate('said');

  it.each([
    ['with other posts', 'en', () => listOf('Of the page before')],
    ['with other posts, in another language', 'de', () => listOf('Of the page before')],
    ['with no post', 'en', () => json({ data: [], success: true })],
    ['with an error', 'en', () => json({ code: 503, message: 'Service Unavailable', success: false })],
  ])('stays where the answer for the page before comes late, %s', async (_, language, answerOf) => {
    let late: (() => unknown) | undefined;
    stage.answer('/v2/related', (call, response) => {
      if (call.query.get('url')!.endsWith('/b')) return listOf('Of the next page')(call, response);
      late ??= () => answerOf()(call, response);
    });
    const listen =
      '<script>said = []; for (const type of ["load", "render", "empty", "error"]) addEventListener("afterword:" + type, () => said.push(type))</script>';
    const slot = '<div data-afterword="related" data-limit="3" data-fill="off"><p>Own</p></div>';
    await page.goto(stage.page('/a', articlePage(stage, `<section lang="${language}">${listen}${slot}</section>`)));
    await until('the first list is asked for', () => late);
    await page.evaluate(() => history.pushState(null, '', '/b'));
    await until('the second one shows', async () => (await said()).includes('render'));
    const shown = await titles();
    expect(shown).toHaveLength(3);
    expect(shown.join()).toContain('Of the next page');
    late!();
    await until('the late answer is read', async () => (await said()).filter((type) => type === 'load').length === 2);
    // What was drawn with it would be drawn when the browser is idle, at the latest: before the second of these.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
    expect(await titles()).toEqual(shown);
    expect((await said()).filter((type) => type !== 'load')).toEqual(['render']);
    expect(await page.getByText('Own', { exact: true }).isVisible()).toBe(false);
  });

  it.each(['', 'data-shadow="off"'])('shows nothing of the page before where it is empty %s', async (attribute) => {
    const none = json({ data: [], success: true });
    stage.answer('/v2/related', (call, response) =>
      (call.query.get('url')!.endsWith('none') ? none : listOf('Of a page with posts'))(call, response),
    );
    const slot = `<div data-afterword="related" data-limit="3" data-respect_empty_results="1" ${attribute}><p>Own</p></div>`;
    const listen =
      '<script>said = []; for (const type of ["render", "empty"]) addEventListener("afterword:" + type, () => said.push(type))</script>';
    await page.goto(stage.page('/some', articlePage(stage, listen + slot)));
    const own = page.getByText('Own', { exact: true });
    const visible = () => page.locator('[data-afterword] a:visible').count();
    for (const [path, type, links] of [
      ['/some', 'render', 3],
      ['/none', 'empty', 0],
      ['/other', 'render', 3],
      ['/also-none', 'empty', 0],
    ] as const) {
      await page.evaluate((to) => history.pushState(null, '', to), path);
      await until('its list is there', async () => (await said()).at(-1) === type);
      expect(await visible()).toBe(links);
      expect(await own.isVisible()).toBe(links === 0);
    }
  });
});
