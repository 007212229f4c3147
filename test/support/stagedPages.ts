// One stage for a file of browser tests, and for each test a page of its own on it, wide and high enough for a list to be in view.
//
//   let stage: Stage;
//   let page: Page;
//   stagedPages(browser, (opened) => ({ stage, page } = opened));
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { shortenPauses } from './browser.ts';
import { openStage, type Stage } from './stage.ts';

/** @param ready Called before each test; what earlier tests asked of the stage, and had it answer, is forgotten. */
export function stagedPages(browser: () => Browser, ready: (opened: { stage: Stage; page: Page }) => void): void {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.reset();
    page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    await page.addInitScript(shortenPauses);
    ready({ stage, page });
  });
  afterEach(() => page.close());
}
