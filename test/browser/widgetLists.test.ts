// Several lists on a page: a ranking is what it says it is, and a related list leaves out what the others show, on each load alike.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Answer, articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const RELATED = '<div data-afterword="related" data-limit="3"></div>';
const TOP = '<div data-afterword="top" data-limit="4"></div>';
const FAR = '<div style="height:9000px">Text</div>';

describeInBrowser('lists of one page', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
    // As the server does it: as many as are asked for.
    for (const path of ['/v2/related', '/v2/top']) stage.answer(path, listOf(40));
  });

  const listOf =
    (count: number): Answer =>
    (call, response) =>
      json({ data: records(Math.min(count, Number(call.query.get('limit'))), stage.site), success: true })(
        call,
        response,
      );
  const asked = (path: string) => stage.calls.filter((call) => call.path.startsWith(path));
  const links = (slot: number) =>
    page
      .locator('[data-afterword]')
      .nth(slot)
      .locator('a')
      .evaluateAll((all) => all.map((a) => Number((a as HTMLAnchorElement).pathname.split('-')[1])));

  /** Posts by their numbers, of each slot that has a list. */
  async function open(body: string, slots = 2): Promise<number[][]> {
    await page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body)));
    await page.waitForFunction(
      (count) =>
        [...document.querySelectorAll('[data-afterword]')].filter((slot) => slot.shadowRoot?.querySelector('a'))
          .length === count,
      slots,
    );
    const all = await page.locator('[data-afterword]').count();
    return Promise.all(Array.from({ length: all }, (_, slot) => links(slot)));
  }

  /** Runs in the page. */
  const isAnswered = (path: string) =>
    performance
      .getEntriesByType('resource')
      .some((one) => one.name.includes(path) && (one as PerformanceResourceTiming).responseEnd > 0);

  it.each([
    ['the ranking', '/v2/top', '/v2/related'],
    ['the related list', '/v2/related', '/v2/top'],
  ])('are the same when %s is answered last', async (_, late, early) => {
    let first = false;
    stage.answer(late, async (call, response) => {
      // Later than the other list could have been drawn without it: its answer is there, and frames were painted since.
      await until('the other list is answered', () => first);
      await page.waitForFunction(isAnswered, early);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
      );
      await listOf(40)(call, response);
    });
    stage.answer(early, async (call, response) => {
      await listOf(40)(call, response);
      first = true;
    });
    expect(await open(RELATED + TOP)).toEqual([
      [5, 6, 7],
      [1, 2, 3, 4],
    ]);
  });

  it('know of a ranking that is far from the window, and draw it when it comes near', async () => {
    expect(await open(RELATED + FAR + TOP, 1)).toEqual([[5, 6, 7], []]);
    expect(asked('/v2/top')).toHaveLength(1);
    await page.locator('[data-afterword=top]').scrollIntoViewIfNeeded();
    await until('the ranking is drawn', async () => (await links(1)).length === 4);
    expect(await links(1)).toEqual([1, 2, 3, 4]);
    expect(asked('/v2/top'), 'asked once').toHaveLength(1);
  });

  it('are drawn before they are seen in what scrolls inside the page, too', async () => {
    const scroller = (body: string) => `<div style="height: 300px; overflow: auto">${body}</div>`;
    await open(scroller(`<p style="height: 700px">Text</p>${RELATED}`), 1);
    expect(await page.locator('[data-afterword]').evaluate((slot) => slot.parentElement!.scrollTop)).toBe(0);
    expect(await links(0)).toEqual([1, 2, 3]);
  });

  it('know nothing of a list that the page does not display', async () => {
    expect(await open(`<div style="display:none">${TOP}</div>${RELATED}`, 1)).toEqual([[], [1, 2, 3]]);
    expect(asked('/v2/top')).toEqual([]);
  });

  it('are full, each of them, however many there are, and ask one question', async () => {
    const shown = await open(TOP + RELATED.repeat(4), 5);
    expect(shown).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
      [8, 9, 10],
      [11, 12, 13],
      [14, 15, 16],
    ]);
    expect(asked('/v2/related')).toHaveLength(1);
    expect(asked('/v2/related')[0]!.query.get('limit'), 'places of all slots, and the page itself').toBe('17');
  });

  it.each([RELATED, RELATED.replace('data-limit', 'data-repeat="on" data-limit')])(
    'show no post twice where each of them has to be filled up: %s',
    async (repeating) => {
      // A young site: two posts are related to the page, the others are in its ranking and among its newest.
      stage.answer('/v2/related', (call, response) => listOf(call.query.has('url') ? 2 : 40)(call, response));
      const shown = await open(RELATED.repeat(3) + repeating, 4);
      expect(shown).toEqual([[1, 2, 3], [4, 5, 6], [7, 8, 9], repeating === RELATED ? [10, 11, 12] : [1, 2, 3]]);
    },
  );

  it('are full on the next page of an application, too', async () => {
    await open(TOP + RELATED + FAR + RELATED, 2);
    await page.evaluate(() => history.pushState(null, '', '/next'));
    await until('the next page is asked for', () =>
      asked('/v2/related').some(({ query }) => query.get('url')!.endsWith('/next')),
    );
    await page.locator('[data-afterword]').nth(2).scrollIntoViewIfNeeded();
    await until('the last list is drawn', async () => (await links(2)).length > 0);
    expect([await links(1), await links(2)]).toEqual([
      [5, 6, 7],
      [8, 9, 10],
    ]);
  });

  it('repeat each other where the page wants that', async () => {
    const repeating = RELATED.replace('data-limit', 'data-repeat="on" data-limit');
    expect(await open(TOP + repeating + repeating, 3)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it.each(['', 'data-fill="off"'])(
    'keep a pin of editors at its position in the first related list %s',
    async (fill) => {
      const data = records(12, stage.site, (index) => (index === 2 ? { source: 'editor' } : {}));
      stage.answer('/v2/related', json({ data, success: true }));
      const related = `<div data-afterword="related" data-limit="4" ${fill}></div>`;
      expect(await open(`${related}<div data-afterword="top" data-limit="3"></div>${related}`, 3)).toEqual([
        [4, 5, 3, 6],
        [1, 2, 3],
        [7, 8, 9, 10],
      ]);
    },
  );

  it('do not wait for ever for a ranking that is not answered', async () => {
    await page.clock.install();
    stage.answer('/v2/top', () => {});
    await page.goto(stage.page('/waiting', articlePage(stage, RELATED + TOP)));
    await until('both are asked for', () => asked('/v2/related').length + asked('/v2/top').length === 2);
    await until('the list is drawn once the wait is over', async () => {
      await page.clock.fastForward(11_000);
      return (await links(0)).length === 3;
    });
    expect(await links(0)).toEqual([1, 2, 3]);
  });

  it('keep most read in the file that pages pin, which fetches no code', async () => {
    const html = articlePage(stage, RELATED + TOP).replace('/afterword.js', '/afterword.one.js');
    await page.goto(stage.page('/pinned', html));
    await until('both are drawn', async () => (await links(0)).length === 3 && (await links(1)).length === 4);
    expect(await links(1)).toEqual([1, 2, 3, 4]);
    expect(stage.calls.filter(({ path }) => path.endsWith('.js')).map(({ path }) => path)).toEqual([
      '/afterword.one.js',
    ]);
  });
});
