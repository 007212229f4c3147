// The guides say what works: each of their snippets is pasted into a page, which then shows lists.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { ensureBuilt } from '../support/build.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { testConsent } from './guides/consent.ts';
import { testFrameworks } from './guides/frameworks.ts';
import { type GuidePages, type GuideStage, type Opened, openGuideStage } from './guides/guideStage.ts';
import { testPlatforms } from './guides/platforms.ts';
import { testStyling } from './guides/styling.ts';

/** Of what is written for a page, a build or a template. Settings and commands are tried by the tests that follow them. */
const LANGUAGES = ['html', 'css', 'js', 'jsx', 'tsx', 'vue', 'php', 'toml', 'handlebars', 'go-html-template'];

describeInBrowser('the guides', (browser) => {
  let stage: GuideStage;
  const opened: Opened[] = [];
  beforeAll(async () => {
    await ensureBuilt();
    stage = await openGuideStage(browser);
  });
  afterAll(async () => {
    await stage?.close();
    await removeDataDirs();
  });
  afterEach(async () => {
    for (const { page } of opened.splice(0)) await page.context().close();
  });

  const pages: GuidePages = {
    stage: () => stage,
    post: (number) => `${stage.origin}/post-${number}`,
    open({ head = '', body = '' }, options) {
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bread</title>
        <link rel="icon" href="data:,"><link rel="canonical" href="${pages.post(0)}">${head}</head><body>${body}</body></html>`;
      return pages.show(stage.here(html), options);
    },
    async show(html, options) {
      const page = await stage.open(html, options);
      opened.push(page);
      return page;
    },
  };
  const guides = [testFrameworks, testConsent, testPlatforms, testStyling].map((testGuide) => testGuide(pages));

  test('each snippet of the guides was tried', () => {
    expect(guides.flatMap((guide) => guide.untried(LANGUAGES))).toEqual([]);
  });
});
