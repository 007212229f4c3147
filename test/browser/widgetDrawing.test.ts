// How a page draws the posts of a list itself: by a template, by a function, or with its own style, in the page itself.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related" data-limit="3"></div>';

describeInBrowser('a list as the page draws it', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  const open = (body: string) => page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body)));
  const links = () => page.locator('[data-afterword] a');
  const listed = (count: number) => until(`${count} posts are listed`, async () => (await links().count()) === count);

  it('draws cards by a template, as text', async () => {
    stage.answer(
      '/v2/related',
      json({ data: records(9, stage.site, () => ({ title: '<b>Bold</b>' })), success: true }),
    );
    await open(
      `<div data-afterword="related" data-limit="2"><template><a data-field="url"><h4 data-field="title"></h4></a>` +
        `<img data-field="image"><time data-field="date"></time></template></div>`,
    );
    await listed(2);
    expect(await page.locator('[data-afterword] h4').first().textContent()).toBe('<b>Bold</b>');
    expect(await links().first().getAttribute('href')).toBe(`${stage.site}/post-1`);
    expect(await page.locator('[data-afterword] img').first().isHidden()).toBe(true);
    await until('the date is in words', async () => {
      return (await page.locator('[data-afterword] time').first().textContent())?.includes('Mar');
    });
  });

  it('draws each card into its item where a template names a part of its own like the item', async () => {
    await open(
      `<div data-afterword="related" data-limit="3"><template><div part="item"><a data-field="url"></a></div></template></div>`,
    );
    await listed(3);
    const counts = () =>
      page.locator('[data-afterword] li').evaluateAll((all) => all.map((one) => one.children.length));
    expect(await counts()).toEqual([1, 1, 1]);
    expect(
      await page
        .locator('[data-afterword] li a')
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).pathname)),
    ).toEqual(['/post-1', '/post-2', '/post-3']);
  });

  it('keeps the focus, and what the page adds to items of a template, when dates are put in words and lists anew', async () => {
    const template =
      '<template><a data-field="url"><b data-field="title"></b></a><time data-field="date"></time></template>';
    await open(
      `<script>addEventListener('afterword:render', ({ target }) => {
        for (const item of target.shadowRoot.querySelectorAll('li:not(:has(button))'))
          item.append(document.createElement('button'));
      })</script><section lang="de"><div data-afterword="related" data-limit="2">${template}</div></section>`,
    );
    const dates = page.locator('[data-afterword] time');
    const buttons = page.locator('[data-afterword] button');
    await until('dates are in words', async () => (await dates.allTextContents()).every((date) => /März/.test(date)));
    expect(await buttons.count()).toBe(2);
    await links().last().focus();
    const changed = (index: number) => ({ title: `Another title ${index}`, pub_date: '2026-04-04T05:06:07Z' });
    stage.answer('/v2/related', json({ data: records(9, stage.site, changed), success: true }));
    await page.evaluate('afterword.refresh()');
    await until('the list is another', async () => (await dates.allTextContents()).every((date) => /Apr/.test(date)));
    expect(await links().allTextContents()).toEqual(['Another title 0', 'Another title 1']);
    expect(await buttons.count()).toBe(2);
    expect(await page.evaluate("document.querySelector('[data-afterword]').shadowRoot.activeElement?.pathname")).toBe(
      '/post-2',
    );
  });

  it('draws cards by a function of the page', async () => {
    await open(
      `<script>(window.afterword ||= []).push((a) => a.draw((card, h) => h('a', { href: card.url, class: 'own' }, card.title)))</script>${SLOT}`,
    );
    await until('they are drawn', async () => (await page.locator('a.own').count()) === 3);
  });

  it('draws its own card where that function fails, or returns nothing', async () => {
    await open(
      `<script>(window.afterword ||= []).push((a) => a.draw((card, h) => { if (card.link.endsWith(1)) throw new Error('own'); if (card.link.endsWith(2)) return h('a', { href: card.url, class: 'own' }) }))</script>${SLOT}`,
    );
    await listed(3);
    expect(await page.locator('a.own').count()).toBe(1);
    expect(await page.locator('[data-afterword] a[part=link]').count()).toBe(2);
  });

  it('draws into the page itself where an attribute says so', async () => {
    await open('<div data-afterword="related" data-shadow="off"></div>');
    await listed(5);
    expect(await page.evaluate(() => document.querySelectorAll('[data-afterword] > .afterword > nav li').length)).toBe(
      5,
    );
  });

  it('shows the list or the slot’s own content, never both, in the page itself', async () => {
    const own = 'Own words <p>and a <a href="/archive">link</a></p><style>a { color: red }</style>';
    const slot = `<div data-afterword="related" data-shadow="off" data-limit="3">${own}</div>`;
    await open(slot);
    await until('the list shows', async () => (await page.locator('.afterword a').count()) === 3);
    expect(await page.locator('.afterword a').first().isVisible()).toBe(true);
    expect(await page.locator('[data-afterword] > p').isVisible()).toBe(false);
    expect(await page.locator('[data-afterword]').innerText()).not.toContain('Own words');
    const colour = page.locator('.afterword a').first();
    expect(await colour.evaluate((link) => getComputedStyle(link).color), 'the page’s style').toBe('rgb(255, 0, 0)');
    stage.answer('/v2/related', (_, response) => void response.destroy());
    await open(`<script>addEventListener('afterword:error', () => (window.failed = 1))</script>${slot}`);
    await page.waitForFunction('window.failed');
    expect(await page.locator('[data-afterword]').innerText()).toContain('Own words');
    expect(await page.locator('[data-afterword] > p').isVisible()).toBe(true);
    expect(await page.locator('.afterword').isVisible()).toBe(false);
  });

  it('shows the slot’s own content while a list that did not come is asked for again', async () => {
    let asked = 0;
    stage.answer('/v2/related', (_, response) => void response.destroy());
    await open(`<script>addEventListener('afterword:error', () => (window.failed = 1))</script>
      <div data-afterword="related" data-shadow="off">Own words</div>`);
    await page.waitForFunction('window.failed');
    // No answer comes to the next question.
    stage.answer('/v2/related', () => void asked++);
    await until('the list is asked for again', () => asked > 0);
    // Without an answer a list is drawn empty after 100 ms.
    const since = await page.evaluate(() => performance.now());
    await page.waitForFunction((then) => performance.now() > then + 200, since);
    expect(await page.locator('[data-afterword]').innerText()).toContain('Own words');
  });

  it('draws once into a page that was kept with its list', async () => {
    const kept = '<div class="afterword"><nav>Of then</nav></div>';
    await open(`<div data-afterword="related" data-shadow="off">${kept}</div>`);
    await listed(5);
    expect(await page.locator('.afterword').count()).toBe(1);
    expect(await page.getByText('Of then').count()).toBe(0);
  });
});
