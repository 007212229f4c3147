// Slots that a page hides when they are found, or rewrites when their lists are there.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const LAYOUTS = ['list', 'grid', 'compact', 'row'];

/** What hides CONTENT until its button is pressed. */
const HIDERS = {
  'a panel of tabs': '<button onclick="panel.hidden = false">Open</button><section id="panel" hidden>CONTENT</section>',
  'a closed dialog':
    '<button onclick="panel.showModal()">Open</button><dialog id="panel" style="width:700px">CONTENT</dialog>',
  'closed details': '<details id="panel"><summary role="button">Open</summary>CONTENT</details>',
};

describeInBrowser('a slot that the page', (browser) => {
  let stage: Stage;
  let page: Page;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  /** Answers lists once the test says so. */
  function hold(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    for (const path of ['/v2/related', '/v2/top'])
      stage.answer(path, async (call, response) => {
        await held;
        json({ data: records(Number(call.query.get('limit')), stage.site), success: true })(call, response);
      });
    return () => release();
  }

  const heights = () =>
    page
      .locator('[data-afterword]')
      .evaluateAll((slots) =>
        slots.map((slot) => [slot.clientHeight, slot.shadowRoot?.querySelector('nav')?.offsetHeight] as const),
      );

  it.each(Object.entries(HIDERS).flatMap(([what, html]) => LAYOUTS.map((layout) => [layout, what, html] as const)))(
    'hides when it is found has the room of its list once it is shown: %s in %s',
    async (layout, _, html) => {
      const release = hold();
      const slot = `<div data-afterword="related" data-layout="${layout}" data-limit="6"></div><p>Below</p>`;
      await page.goto(stage.page('/hidden', articlePage(stage, html.replace('CONTENT', slot))));
      await until('the page is counted', () => stage.events().length > 0);
      await page.getByRole('button', { name: 'Open' }).click();
      await until('the list is asked for', () => stage.calls.some(({ path }) => path === '/v2/related'));
      await page.locator('[aria-busy=true]').waitFor();
      const [[room]] = (await heights()) as [[number, number]];
      release();
      await page.locator('[data-afterword] a').first().waitFor();
      const [[slotHeight, list]] = (await heights()) as [[number, number]];
      expect(Math.abs(room - list), `room of ${room}, list of ${list} pixels`).toBeLessThan(2);
      expect(Math.abs(slotHeight - list)).toBeLessThan(2);
    },
  );

  it('rewrites, without the attributes it was given, keeps its kind', async () => {
    await page.goto(stage.page('/kind', articlePage(stage, '<afterword-top data-limit="3"></afterword-top>')));
    const links = page.locator('afterword-top a');
    await until('the list shows', async () => (await links.count()) === 3);
    stage.calls.length = 0;
    // As libraries do that make the page like the HTML of the next one.
    await page.locator('afterword-top').evaluate((slot) => {
      for (const name of ['style', 'data-afterword']) slot.removeAttribute(name);
      history.pushState(null, '', '/kind-2');
    });
    await until('a list is asked for', () => stage.calls.some(({ path }) => path.startsWith('/v2/')));
    await page.waitForFunction(() => document.querySelector('afterword-top')!.hasAttribute('data-afterword'));
    const asked = stage.calls.filter(({ path }) => /^\/v2\/(top|related)/.test(path)).map(({ path }) => path);
    expect(asked).toEqual(['/v2/top/posts']);
    expect(await page.locator('nav').getAttribute('part')).toBe('nav top-list');
  });
});
