// The page that the looks of lists are tested on, opened again for each, in whatever browser.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { shortenPauses } from '../support/browser.ts';
import { watchMoves } from '../support/moves.ts';
import { type Answer, articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

export const TALL = 5000;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><rect width="160" height="90"/></svg>';

/** Says of each slot that it came to rest. */
const RESTS =
  '<script>for (const type of ["render", "empty", "error"])' +
  'addEventListener("afterword:" + type, (event) => (event.target.dataset.rests = type))</script>';

export interface LooksPage {
  stage: Stage;
  page: Page;
  /** What the page threw, and what the widget said in the console, in this test. */
  errors: string[];
  said: string[];
  /** Path of the page that is opened next. */
  next(): string;
  /** Answers lists with as many of `count` posts as are asked for. */
  answer(count: number, change?: (index: number) => object): void;
  /** Opens a page, and waits until each of its slots has come to rest. */
  open(body: string, language?: string, attributes?: string): Promise<void>;
  /** Posts of a list, by their numbers. */
  numbers(kind: string): Promise<number[]>;
  /** How much higher each slot is than its list, in pixels. */
  holes(): Promise<number[]>;
  noHoles(when: string): Promise<unknown>;
}

/** @param zone Set where the browser can; else its reader is in that zone already. */
export function looksPage(browser: () => Browser, zone?: { timezoneId: string }): LooksPage {
  const opened = {} as LooksPage;
  let pages = 0;
  beforeAll(async () => {
    opened.stage = await openStage();
    const page = await browser().newPage({ viewport: { width: 800, height: TALL }, ...zone });
    await page.addInitScript(shortenPauses);
    await watchMoves(page);
    page.on('pageerror', (error) => opened.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'warning' && message.text().startsWith('afterword:')) opened.said.push(message.text());
    });
    opened.page = page;
  });
  afterAll(() => opened.stage.close());
  beforeEach(async () => {
    opened.stage.reset();
    opened.stage.answer('/picture.svg', (_, response) => {
      response.setHeader('Content-Type', 'image/svg+xml').end(PICTURE);
    });
    Object.assign(opened, { errors: [], said: [] });
    await opened.page.setViewportSize({ width: 800, height: TALL });
  });

  const holes: LooksPage['holes'] = () =>
    opened.page
      .locator('[data-afterword]')
      .evaluateAll((slots) =>
        slots.map((slot) => Math.round(slot.clientHeight - (slot.shadowRoot!.querySelector('nav')?.offsetHeight ?? 0))),
      );
  return Object.assign(opened, {
    next: () => `/looks-${pages}`,
    answer(count: number, change: (index: number) => object = () => ({})) {
      const list: Answer = (call, response) => {
        const limit = Number(call.query.get('limit') ?? count);
        return json({ data: records(Math.min(count, limit), opened.stage.site, change), success: true })(
          call,
          response,
        );
      };
      for (const path of ['/v2/related', '/v2/top']) opened.stage.answer(path, list);
    },
    async open(body: string, language = 'lang="en"', attributes = 'data-lazy="off"') {
      const { stage, page } = opened;
      const html = articlePage(stage, `<main><h1>Article</h1>${body}</main>`, attributes);
      const article = html.replace('lang="en"', language).replace('<head>', `<head>${RESTS}`);
      await page.goto(stage.page(`/looks-${pages++}`, article));
      await page.waitForFunction(() => !document.querySelector('[data-afterword]:not([data-rests])'));
    },
    numbers: (kind: string) =>
      opened.page
        .locator(`[data-afterword=${kind}] a`)
        .evaluateAll((all) => all.map((a) => Number((a as HTMLAnchorElement).pathname.split('-')[1]))),
    holes,
    noHoles: (when: string) =>
      until(`there is no hole ${when}`, async () => (await holes()).every((hole) => Math.abs(hole) < 2)),
  });
}
