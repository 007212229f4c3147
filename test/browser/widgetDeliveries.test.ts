// The same widget by other ways: frozen and pinned by its hash, in parts as they are needed.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related"></div>';

describeInBrowser('the widget comes', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  const open = (html: string) => page.goto(stage.page(`/page-${pages++}`, html));
  const listed = () => until('the list shows', async () => (await page.locator('[data-afterword] a').count()) === 5);
  const firstEvent = () => until('something is reported', () => stage.events()[0]);
  const scripts = () => stage.calls.filter(({ path }) => path.endsWith('.js')).map(({ path }) => path);

  async function frozen(): Promise<[path: string, hash: string]> {
    const response = await fetch(`${stage.host}/integrity.json`);
    return Object.entries((await response.json()) as Record<string, string>)[0]!;
  }

  it('frozen, in one file that is what its hash says, and asks the server it came from', async () => {
    const [path, hash] = await frozen();
    expect(path).toMatch(/^\d+\.\d+\.\d+[^/]*\/afterword\.js$/);
    stage.calls.length = 0;
    const html = articlePage(stage, SLOT, `integrity="${hash}" crossorigin`).replace('/afterword.js', `/${path}`);
    await open(html);
    await listed();
    expect((await firstEvent()).action).toBe('pageview');
    expect(scripts()).toEqual([`/${path}`]);
  });

  it('not at all when the file is another than its hash says', async () => {
    const [path] = await frozen();
    await open(articlePage(stage, SLOT, 'integrity="sha384-AAAA" crossorigin').replace('/afterword.js', `/${path}`));
    expect(await page.evaluate(() => window.afterword)).toBeUndefined();
  });

  it('in its parts: one file before a list is near, but for the one that counts', async () => {
    await open(articlePage(stage, `<div style="height:9000px"></div>${SLOT}`));
    await firstEvent();
    expect(scripts()).toEqual(['/afterword.js', expect.stringMatching(/^\/page-/)]);
    expect(stage.calls.some(({ path }) => path.startsWith('/v2/related'))).toBe(false);
    await page.evaluate(() => scrollTo(0, 9000));
    await listed();
    expect(scripts().slice(2)).toEqual([expect.stringMatching(/^\/list-/)]);
  });

  it('with the rare part only to a page that has need of it, here a video', async () => {
    await open(articlePage(stage, SLOT));
    await listed();
    await page.evaluate(() => document.body.append(document.createElement('video')));
    await until('the part that watches videos is there', () => scripts().some((path) => /^\/rare-/.test(path)));
    expect(scripts()).toHaveLength(4);
  });

  it('with dates in words only after the list is there, by one formatter for all', async () => {
    await page.addInitScript(() => {
      const made: string[] = [];
      Reflect.set(window, 'made', made);
      const { DateTimeFormat } = Intl;
      Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
        construct: (of, given) => {
          made.push('formatter');
          return Reflect.construct(of, given) as object;
        },
      });
      addEventListener('afterword:render', () => made.push('list'));
    });
    await open(articlePage(stage, SLOT));
    const inWords = page.locator('[data-afterword] time', { hasText: /Mar/ });
    await until('the dates are in words', async () => (await inWords.count()) === 5);
    expect(await page.evaluate('made')).toEqual(['list', 'formatter']);
  });

  it('with the request of a list beside the file that shows it, not after it', async () => {
    let released = (): void => {};
    const held = new Promise<void>((resolve) => {
      released = resolve;
    });
    await page.route('**/list-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await open(articlePage(stage, `${SLOT}<div data-afterword="top"></div>`));
    for (const path of ['/v2/top/posts', '/v2/related']) {
      await until(`${path} is asked for`, () => stage.calls.some((call) => call.path === path));
    }
    released();
    await until('both lists show', async () => (await page.locator('[data-afterword] a').count()) === 10);
  });
});
