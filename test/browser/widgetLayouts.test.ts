// A list keeps to its slot: it fills its columns evenly, takes what the page says of them, and a row shows that it
// continues.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

describeInBrowser('a list keeps to its column', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  async function open(body: string, attributes = 'data-lazy="off"'): Promise<void> {
    await page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body, attributes)));
    await until('every list shows', () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[data-afterword]')].every((slot) => slot.shadowRoot?.querySelector('a')),
      ),
    );
  }
  const slotOf = (layout: string, limit = 8, more = ''): string =>
    `<div data-afterword="related" data-layout="${layout}" data-limit="${limit}" ${more}></div>`;
  /** Items of each line, from the top. */
  const lines = (): Promise<number[]> =>
    page.locator('li').evaluateAll((items) => {
      const tops = items.map((item) => Math.round(item.getBoundingClientRect().top));
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    });

  it('and is seen where its slot is as wide as its content', async () => {
    for (const style of ['float:left', 'display:inline-block']) {
      await open(`<div data-afterword="related" style="${style}"></div>`);
      expect((await page.locator('li').first().boundingBox())!.width, style).toBeGreaterThan(200);
    }
  });

  it('and is seen under a style that hides what is empty, where its slot holds a blank', async () => {
    await open('<style>div:empty { display: none }</style><div data-afterword="related"> </div>');
    expect(await page.locator('li').first().isVisible()).toBe(true);
  });

  it('and is seen where its slot is alone in what is as wide as its content, which is never wider than the page', async () => {
    for (const style of ['float:left', 'display:inline-block', 'display:table', 'position:absolute']) {
      await open(`<div style="${style}">${slotOf('list', 2)}</div>`);
      expect((await page.locator('li').first().boundingBox())!.width, style).toBeGreaterThan(200);
      await open(`<div style="width:120px"><div style="${style}">${slotOf('list', 2)}</div></div>`);
      expect((await page.locator('li').first().boundingBox())!.width, style).toBeLessThan(241);
    }
    await open(`<div style="width:120px"><div style="float:left">${slotOf('list', 2)}</div></div>`);
    expect((await page.locator('li').first().boundingBox())!.width).toBe(120);
  });

  it.each([
    [390, 4, [2, 2]],
    [560, 4, [2, 2]],
    [800, 4, [4]],
    [800, 6, [3, 3]],
    [390, 6, [2, 2, 2]],
    [800, 7, [4, 3]],
  ])('at %i pixels a grid of %i stands in lines of %j', async (across, limit, expected) => {
    await page.setViewportSize({ width: across, height: 2000 });
    await open(slotOf('grid', limit));
    expect(await lines()).toEqual(expected);
  });

  it.each([
    ['list', 1, [1, 1, 1, 1]],
    ['grid', 2, [2, 2]],
    ['grid', 4, [4]],
    ['compact', 1, [1, 1, 1, 1]],
  ])(
    'takes the most columns from its slot, and keeps the room for them: %s of %i',
    async (layout, columns, expected) => {
      await watchLayoutShift(page);
      await open(`${slotOf(layout, 4, `data-columns="${columns}"`)}<p>Below</p>`);
      expect(await lines()).toEqual(expected);
      expect(await layoutShift(page)).toBe(0);
    },
  );

  it('shows the middle of pictures that are taller than their frames, or what the page says', async () => {
    const tall =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="400"><rect width="100" height="400" fill="red"/></svg>';
    stage.answer('/tall.svg', (_, response) => void response.setHeader('Content-Type', 'image/svg+xml').end(tall));
    const image = () => ({ image_url: `${stage.host}/tall.svg` });
    stage.answer('/v2/related', json({ data: records(9, stage.site, image), success: true }));
    await open(slotOf('grid', 3));
    const heights = await page
      .locator('[part=image]')
      .evaluateAll((all) => all.map((one) => [one.clientHeight, one.parentElement!.clientHeight]));
    for (const [picture, frame] of heights) expect(Math.abs(picture! - frame!)).toBeLessThan(2);
    const position = () =>
      page
        .locator('[part=image]')
        .first()
        .evaluate((one) => getComputedStyle(one).objectPosition);
    expect(await position()).toBe('50% 50%');
    await open(`<style>[data-afterword]{--afterword-object-position:top}</style>${slotOf('grid', 3)}`);
    expect(await position()).toBe('50% 0%');
  });

  it('of a row shows that it continues: an arrow scrolls it, and goes where it ends', async () => {
    await open(slotOf('row', 8));
    const arrows = page.locator('[part=arrow]');
    await until('the arrows are there', async () => (await arrows.count()) === 2);
    await until('one is shown', async () => JSON.stringify(await visible()) === '[false,true]');
    async function visible(): Promise<boolean[]> {
      return [await arrows.nth(0).isVisible(), await arrows.nth(1).isVisible()];
    }
    await arrows.nth(1).click();
    await until('it moved', async () => (await page.locator('[part=list]').evaluate((list) => list.scrollLeft)) > 100);
    await until('both are shown', async () => JSON.stringify(await visible()) === '[true,true]');
    await page.locator('[part=list]').evaluate((list) => list.scrollTo({ left: 9999 }));
    await until('the end is seen', async () => JSON.stringify(await visible()) === '[true,false]');
    await page.keyboard.press('Tab');
    await until('keys bring the first post back', async () => JSON.stringify(await visible()) === '[false,true]');
  });

  it('of a row has arrows that point to where they lead, from right to left as well, and none on paper', async () => {
    /** The sign of the arrow at the left, as it is drawn, without the edge, behind which posts are seen. */
    const sign = async (dir: string): Promise<string> => {
      await open(`<div dir="${dir}">${slotOf('row', 8)}</div>`);
      const arrow = page.locator('[part=arrow]').first();
      if (dir === 'ltr') await page.locator('[part=list]').evaluate((list) => list.scrollTo({ left: 200 }));
      await arrow.waitFor();
      const { x, y, width, height } = (await arrow.boundingBox())!;
      const clip = { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 };
      return (await page.screenshot({ clip })).toString('base64');
    };
    expect((await sign('rtl')) === (await sign('ltr')), 'the sign at the left').toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('[part=arrow]:visible').count()).toBe(0);
  });

  it('of a row has its arrow where it continues, too, where a style of the page alone says from right to left', async () => {
    await open(`<style>main { direction: rtl }</style><main>${slotOf('row', 8)}</main>`);
    await page.locator('[part=arrow]:visible').first().waitFor();
    expect(await page.locator('[part=arrow]:visible').allTextContents()).toEqual(['‹']);
  });

  it.each([
    ['reduce', 'auto'],
    ['no-preference', 'smooth'],
  ] as const)('of a row is scrolled by its arrows as its reader likes motion: %s', async (reducedMotion, expected) => {
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(() => {
      Element.prototype.scrollBy = (options) => void Object.assign(window, { asked: options });
    });
    await open(slotOf('row', 8));
    await page.locator('[part=arrow]').nth(1).click();
    expect(await page.evaluate(() => (window as unknown as { asked: ScrollToOptions }).asked.behavior)).toBe(expected);
  });

  it('of videos has a play mark on each picture', async () => {
    await open('<div data-afterword="top" data-type="videos" data-layout="grid" data-limit="3"></div>');
    const mark = await page
      .locator('[part=frame]')
      .first()
      .evaluate((frame) => getComputedStyle(frame, '::after').content);
    expect(mark).toBe('""');
  });
});
