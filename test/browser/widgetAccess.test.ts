// Everybody can read and use a list: no finding of axe in any layout, light, dark, forced colours or right to left; keys reach every link.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { LAYOUTS } from '../../server/contract/attributes.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const LIGHT = 'color:#222;background:#fff';
const DARK = 'color:#e8e8e8;background:#14161a';
/** Grey text of many style sheets, 7.5 : 1. */
const GREY = 'color:#555;background:#fff';

describeInBrowser('everybody can use a list', (browser) => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="teal"/></svg>`;
    stage.answer(
      '/picture.svg',
      (_, response) => void response.setHeader('Content-Type', 'image/svg+xml').end(picture),
    );
    const image = (index: number): object => (index % 2 === 0 ? { image_url: `${stage.host}/picture.svg` } : {});
    for (const path of ['/v2/related', '/v2/top']) {
      stage.answer(path, json({ data: records(20, stage.site, image), success: true }));
    }
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    page = await browser().newPage({ viewport: { width: 900, height: 2000 } });
  });
  afterEach(() => page.close());

  async function open(style: string, slots: string, language = 'lang="en"'): Promise<void> {
    const html = articlePage(stage, `<main><h1>Article</h1>${slots}</main>`)
      .replace('lang="en"', language)
      .replace('<body>', `<body style="${style}">`);
    await page.goto(stage.page('/article', html));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-afterword]')].every((slot) =>
        slot.shadowRoot?.querySelector('[part=list][aria-busy=false]'),
      ),
    );
  }

  const slotOf = (layout: string): string =>
    `<div data-afterword="related" data-limit="4" data-layout="${layout}" data-heading="Related, as ${layout}"></div>` +
    `<div data-afterword="top" data-limit="4" data-layout="${layout}" data-heading="Top, as ${layout}"></div>`;

  it.each([
    ['light', LIGHT, 'lang="en"'],
    ['dark', DARK, 'lang="en"'],
    ['grey text', GREY, 'lang="en"'],
    ['right to left', LIGHT, 'lang="he" dir="rtl"'],
  ])('axe finds nothing: %s', async (_, style, language) => {
    for (const layout of LAYOUTS) {
      await open(style, slotOf(layout), language);
      expect(await axeFindings(page), layout).toEqual([]);
    }
  });

  it('axe finds nothing under forced colours and reduced motion', async () => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    for (const layout of LAYOUTS) {
      await open(LIGHT, slotOf(layout));
      expect(await axeFindings(page), layout).toEqual([]);
    }
  });

  it('axe finds nothing while the posts are on their way', async () => {
    stage.answer('/v2/related', () => {});
    const html = articlePage(stage, '<main><h1>Article</h1><div data-afterword="related"></div></main>');
    await page.goto(stage.page('/slow', html));
    await page.locator('[part=list][aria-busy=true]').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const image = (index: number): object => (index % 2 === 0 ? { image_url: `${stage.host}/picture.svg` } : {});
    stage.answer('/v2/related', json({ data: records(20, stage.site, image), success: true }));
  });

  it.each(LAYOUTS)('the tab key goes from post to post: %s', async (layout) => {
    await open(LIGHT, `<div data-afterword="related" data-layout="${layout}" data-limit="4"></div>`);
    const visited: (string | null)[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('Tab');
      visited.push(
        await page.evaluate(() => {
          const focused = document.activeElement?.shadowRoot?.activeElement;
          const ring = focused ? getComputedStyle(focused, '::after').outlineStyle : 'none';
          return ring === 'solid' ? (focused as HTMLAnchorElement).pathname : null;
        }),
      );
    }
    expect(visited, 'each is marked').toEqual(['/post-1', '/post-2', '/post-3', '/post-4']);
    await page.keyboard.press('Enter');
    await until('the post opens', () => page.url() === `${stage.site}/post-4`);
  });

  it('says what it is: a landmark with a name, a heading of the level asked for, a list, one link an item', async () => {
    await open(LIGHT, '<div data-afterword="related" data-heading="More" data-heading-level="3" data-limit="3"></div>');
    expect(await page.locator('nav').ariaSnapshot()).toContain(
      '- navigation "More":\n  - heading "More" [level=3]\n  - list:\n    - listitem:\n      - link "Post number 1',
    );
    expect(await page.locator('[data-afterword] li').count()).toBe(3);
    expect(await page.locator('[data-afterword] a').count()).toBe(3);
  });

  it.each([
    ['light', LIGHT],
    ['dark', DARK],
    ['grey', GREY],
  ])('the numbers of a ranking are told from the page as large text is to be: %s', async (_, style) => {
    await open(style, '<div data-afterword="top" data-layout="compact" data-limit="3"></div>');
    const ratio = await page
      .locator('[part=list] li')
      .first()
      .evaluate((item) => {
        const number = getComputedStyle(item, '::after');
        const channels = (color: string) =>
          color
            .match(/[\d.]+/g)!
            .slice(0, 3)
            .map(Number);
        const below = channels(getComputedStyle(document.body).backgroundColor);
        const light = (rgb: number[]) => {
          const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05;
        };
        const seen = channels(number.color).map((c, at) => c * +number.opacity + below[at]! * (1 - +number.opacity));
        const [one, other] = [light(seen), light(below)];
        return Math.max(one, other) / Math.min(one, other);
      });
    expect(ratio).toBeGreaterThanOrEqual(3);
  });

  it('the arrows of a row are for pointers alone, also where the browser has no properties for ARIA', async () => {
    // As Firefox before 119.
    await page.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'ariaHidden'));
    await open(LIGHT, '<div data-afterword="related" data-layout="row" data-limit="8"></div>');
    await page.locator('[part=arrow]').first().waitFor({ state: 'attached' });
    expect(await page.locator('nav').ariaSnapshot()).not.toContain('button');
  });

  it('the whole item opens the post, and pictures wait until they are near', async () => {
    await open(LIGHT, '<div data-afterword="related"></div>');
    const picture = page.locator('[data-afterword] img').first();
    expect(await picture.evaluate((image: HTMLImageElement) => [image.loading, image.decoding, image.alt])).toEqual([
      'lazy',
      'async',
      '',
    ]);
    await page
      .locator('[data-afterword] li')
      .first()
      .click({ position: { x: 5, y: 5 } });
    await until('the post opens', () => page.url() === `${stage.site}/post-1`);
  });

  it('puts the fallback image where a post has none and where one fails, and a letter where that fails too', async () => {
    stage.answer(
      '/v2/related',
      json({ data: records(3, stage.site, (i) => (i ? {} : { image_url: `${stage.host}/gone.jpg` })), success: true }),
    );
    await open(LIGHT, `<div data-afterword="related" data-limit="3" data-fallback="${stage.host}/picture.svg"></div>`);
    const fallen = page.locator(`img[src="${stage.host}/picture.svg"]`);
    await until('all are the fallback', async () => (await fallen.count()) === 3);
    await open(
      LIGHT,
      `<div data-afterword="related" data-layout="grid" data-limit="3" data-fallback="${stage.host}/gone.svg"></div>`,
    );
    await until('the pictures gave way', async () => (await page.locator('img').count()) === 0);
    const letter = await page
      .locator('[part=frame]')
      .first()
      .evaluate((frame) => getComputedStyle(frame, '::before').content);
    expect(letter).toBe('"P"');
  });
});
