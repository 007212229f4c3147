// A list in the shadow root of a component, which the page asks for by `render`, is as any other list of the page.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Afterword } from '../../widget/commands.ts';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';

describeInBrowser('a list in the shadow root of a component', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
    // As the server does it: as many as are asked for.
    stage.answer('/v2/related', (call, response) =>
      json({ data: records(Number(call.query.get('limit')), stage.site), success: true })(call, response),
    );
  });

  /** @returns the types of the events that the page heard of its lists. */
  async function open(html = articlePage(stage, '<main></main>')): Promise<string[]> {
    await page.goto(stage.page(`/page-${pages++}`, html));
    return await page.evaluate(async () => {
      const afterword = await new Promise<Afterword>((resolve) => {
        window.afterword ??= [];
        window.afterword.push(resolve);
      });
      const types: string[] = [];
      for (const type of ['load', 'render']) afterword.on(type, (event) => types.push(event.type));
      const slot = document.createElement('div');
      Object.assign(slot.dataset, { afterword: 'related', limit: '4', slot: 'end' });
      document.querySelector('main')!.attachShadow({ mode: 'open' }).append(slot);
      await afterword.render(slot);
      return types;
    });
  }

  it.each(['afterword.js', 'afterword.one.js'])('is full of related posts: %s', async (file) => {
    await open(articlePage(stage, '<main></main>').replace('afterword.js', file));
    const titles = await page.locator('main li a').allTextContents();
    expect(titles.map((title) => /\d+/.exec(title)![0])).toEqual(['1', '2', '3', '4']);
    expect(
      stage.calls.filter(({ path }) => path.startsWith('/v2/top')),
      'not filled up',
    ).toEqual([]);
  });

  it('is in the language of the page', async () => {
    await open(articlePage(stage, '<main></main>').replace('lang="en"', 'lang="de"'));
    expect(await page.locator('main h2').textContent()).toBe('Mehr zum Thema');
  });

  it('says to the page what becomes of it', async () => {
    expect(await open()).toEqual(['afterword:load', 'afterword:render']);
  });
});
