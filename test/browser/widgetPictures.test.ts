// Which picture a browser loads for a list: of a thumbnail the width that its frame needs, of any other picture the one there is.
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const list = (layout: string): string =>
  `<div data-afterword="related" data-limit="3" ${layout === 'list' ? '' : `data-layout="${layout}"`}></div>`;

describeInBrowser('the pictures of a list', (browser) => {
  let stage: Stage;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage } = opened);
  });

  /** Records whose thumbnails this server makes, as wide as they are asked for. */
  async function offerThumbnails(): Promise<void> {
    const thumbnail = (index: number): string =>
      `${stage.host}/thumb/example.com/AAAA/480?of=https%3A%2F%2Fa.example%2F${index}.jpg`;
    stage.answer(
      '/v2/related',
      json({ data: records(5, stage.site, (index) => ({ thumb_url_medium: thumbnail(index) })), success: true }),
    );
    const picture = await sharp({ create: { width: 160, height: 90, channels: 3, background: '#48c' } })
      .webp()
      .toBuffer();
    stage.answer('/thumb', (_, response) => void response.setHeader('Content-Type', 'image/webp').end(picture));
  }

  /** Widths of the thumbnails that a page loads on a screen of so many dots a pixel. */
  async function loaded(of: Browser, body: string, deviceScaleFactor: number): Promise<string[]> {
    stage.calls.length = 0;
    const page = await of.newPage({ viewport: { width: 800, height: 2000 }, deviceScaleFactor });
    await page.goto(stage.page(`/pictures-${pages++}`, articlePage(stage, body)));
    await until('the pictures are there', () => areThere(page, 3));
    await page.close();
    return stage.calls.flatMap(({ path }) => /^\/thumb\/.*\/(\d+)/.exec(path)?.[1] ?? []);
  }

  const areThere = (page: Page, count: number): Promise<boolean> =>
    page
      .locator('[data-afterword] img')
      .evaluateAll(
        (images, wanted) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length === wanted,
        count,
      );

  it.each([
    ['list', 1, '160'],
    ['list', 2, '320'],
    ['grid', 1, '320'],
    ['grid', 2, '640'],
    ['row', 3, '960'],
  ])('of a %s at %i dots a pixel are thumbnails of %s', async (layout, dots, width) => {
    await offerThumbnails();
    expect(await loaded(browser(), list(layout), dots)).toEqual([width, width, width]);
  });

  it('that are no thumbnails of the server’s have no other widths', async () => {
    const picture = (index: number): string => `${stage.host}/picture-${index}.svg?of=480`;
    stage.answer(
      '/v2/related',
      json({ data: records(5, stage.site, (index) => ({ image_url: picture(index) })), success: true }),
    );
    stage.answer(
      '/picture',
      (_, response) =>
        void response
          .setHeader('Content-Type', 'image/svg+xml')
          .end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    );
    const page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    await page.goto(stage.page(`/pictures-${pages++}`, articlePage(stage, list('list'))));
    await until('the pictures are there', () => areThere(page, 3));
    const images = page.locator('[data-afterword] img');
    expect(await images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).currentSrc))).toEqual(
      [0, 1, 2].map(picture),
    );
    expect(await images.first().getAttribute('srcset')).toBeFalsy();
    await page.close();
  });

  it.each([
    ['no fallback', '', ['/broken']],
    ['a fallback', 'data-fallback="/fallback"', ['/broken', '/fallback']],
  ])('that fail are asked for once, with %s', async (_, attribute, paths) => {
    stage.reset();
    const broken = (): object => ({ image_url: `${stage.host}/broken` });
    stage.answer('/v2/related', json({ data: records(3, stage.site, broken), success: true }));
    for (const path of paths) stage.answer(path, (_, response) => void response.writeHead(404).end());
    const page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    const slot = `<div data-afterword="related" data-limit="1" ${attribute.replace('/fallback', `${stage.host}/fallback`)}></div>`;
    await page.goto(stage.page(`/pictures-${pages++}`, articlePage(stage, slot)));
    const asked = (): string[] => stage.calls.map(({ path }) => path).filter((path) => paths.includes(path));
    await until('all have failed', async () => asked().length >= paths.length);
    await until('the picture is gone', async () => (await page.locator('[data-afterword] img').count()) === 0);
    // A picture that is loaded again would be asked for before the last of these.
    for (let each = 0; each < 20; each++)
      await page.evaluate((address) => fetch(address, { mode: 'no-cors' }).catch(() => {}), `${stage.host}/p-${each}`);
    expect(asked()).toEqual(paths);
    await page.close();
  });

  it('give way to the fallback where a thumbnail fails in every width', async () => {
    await offerThumbnails();
    stage.answer('/thumb', (_, response) => void response.writeHead(404).end());
    const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    const slot = list('list').replace('>', ` data-fallback="${dot}">`);
    await page.goto(stage.page(`/pictures-${pages++}`, articlePage(stage, slot)));
    const shown = (): Promise<string[]> =>
      page
        .locator('[data-afterword] img')
        .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).currentSrc));
    await until('the fallbacks are there', async () => (await shown()).join() === [dot, dot, dot].join());
    await page.close();
  });
});
