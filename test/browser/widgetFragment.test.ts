// A list that came with the page, drawn by the server: shown without JavaScript, and taken over by the widget without a move.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { LAYOUTS } from '../../server/contract/attributes.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { articlePage, openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');

describeInBrowser('a list that came with the page', (browser) => {
  let stage: Stage;
  let room: Newsroom;
  let page: Page;
  let pages = 0;
  const post = (n: number): string => `${stage.site}/post-${n}`;

  /** The host answers what the real application answers. */
  function passOn(): void {
    stage.answer('/v2/', async ({ path, query }, response) => {
      const answer = await room.app.request(`http://stats.example${path}?${query}`);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  }

  beforeAll(async () => {
    stage = await openStage();
    room = await openNewsroom({ now: NOW, id: 'example.com' });
    for (let n = 0; n < 12; n++) {
      await room.write(post(n), {
        title: `Post ${n}, which has a title`,
        section: 'News',
        pubDate: NOW - n * 3_600_000,
      });
      await room.happen(...Array.from({ length: 12 - n }, () => ({ url: post(n), time: NOW - 60_000 })));
    }
  });
  afterAll(async () => {
    await stage.close();
    await room.close();
  });
  beforeEach(async () => {
    passOn();
    stage.calls.length = 0;
    page = await browser().newPage({ viewport: { width: 900, height: 2500 } });
    await page.addInitScript(shortenPauses);
    await watchLayoutShift(page);
  });
  afterEach(() => page.context().close());

  async function fragment(query: string): Promise<string> {
    const [kind, parameters = ''] = query.split('?');
    const answer = await fetch(`${stage.host}/v2/fragment/${kind}?apikey=example.com&${parameters}`);
    expect(answer.status).toBe(200);
    return await answer.text();
  }

  const publish = (html: string): string => stage.page(`/page-${pages++}`, html);
  const bare = (body: string): string =>
    publish(
      `<!doctype html><html lang="en"><title>Article</title><body><main><h1>Article</h1>${body}</main></body></html>`,
    );
  /** Remembers the first item that was there, and how few links were ever in view. */
  const watch =
    '<script>addEventListener("DOMContentLoaded", () => {' +
    'const links = () => [...document.querySelectorAll("[data-afterword]")].flatMap((slot) => [...(slot.shadowRoot || slot).querySelectorAll("a")]);' +
    'first = links()[0]; least = 99;' +
    'const look = () => { least = Math.min(least, links().length); requestAnimationFrame(look) }; look();' +
    'for (const type of ["render", "error", "impression", "click"]) addEventListener("afterword:" + type, (event) => (window[type] = event.detail || true));' +
    '})</script>';
  const kept = () => page.evaluate('first.isConnected') as Promise<boolean>;

  it.each([...LAYOUTS.map((layout) => [layout, 'en']), ['compact', 'vi']])(
    'shows without JavaScript, as the widget would show it: %s, %s',
    async (layout, lang) => {
      const slot = `<div lang="${lang}" data-afterword="top" data-limit="4" data-layout="${layout}"></div>`;
      const served = await fragment(`top?layout=${layout}&limit=4&lang=${lang}`);
      const heights = async (opened: Page): Promise<number[]> =>
        opened.locator('nav, nav li, nav a').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      await page.goto(publish(articlePage(stage, `<main>${slot}</main>`)));
      await page.locator('[part=list][aria-busy=false]').waitFor();
      const context = await browser().newContext({ javaScriptEnabled: false, viewport: { width: 900, height: 2500 } });
      try {
        const still = await context.newPage();
        await still.goto(publish(articlePage(stage, `<main>${served}</main>`)));
        expect(await still.locator('li a').count()).toBe(4);
        expect(await heights(still)).toEqual(await heights(page));
        await still.locator('li a').first().click();
        await until('the post opens', () => still.url() === post(0));
      } finally {
        await context.close();
      }
    },
  );

  it.each(LAYOUTS)('axe finds nothing: %s', async (layout) => {
    await page.goto(bare(await fragment(`top?layout=${layout}`)));
    expect(await axeFindings(page)).toEqual([]);
  });

  it.each(LAYOUTS)(
    'is taken over as it stands: no item is drawn again, nothing moves, readers are heard: %s',
    async (layout) => {
      const served = await fragment(`top?layout=${layout}&limit=4`);
      await page.goto(publish(articlePage(stage, `${watch}${served}<p>Below</p>`)));
      await page.waitForFunction('window.impression');
      expect(await kept()).toBe(true);
      expect(await page.evaluate('least')).toBe(4);
      expect(await page.locator('li').count()).toBe(4);
      expect(await layoutShift(page)).toBe(0);
      await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
      await page.locator('li a').nth(2).click();
      expect(await page.evaluate('window.click.link')).toBe(post(2));
      const [report] = await until('it is reported', () => {
        const clicks = stage.events().filter(({ lists }) => lists?.[0]?.clicked);
        return clicks.length > 0 ? clicks : undefined;
      });
      expect(report!.lists).toEqual([
        {
          ...{ list: 'top', slot: '1', layout, shown: expect.any(Boolean) },
          clicked: [[3, post(2), 'popular', 0]],
        },
      ]);
    },
  );

  it('gives way to a newer list, in its place', async () => {
    const served = await fragment('top?limit=4');
    await room.ask('/exclude/ignore', { url: post(1) });
    try {
      await page.goto(publish(articlePage(stage, `${watch}${served}<p>Below</p>`)));
      await page.waitForFunction('window.render');
      expect(
        await page.locator('li a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname)),
      ).toEqual([0, 2, 3, 4].map((n) => `/post-${n}`));
      expect(await page.evaluate('least')).toBe(4);
      expect(await layoutShift(page)).toBe(0);
    } finally {
      await room.ask('/exclude/include', { url: post(1) });
    }
  });

  it('stays when the server is away', async () => {
    const served = await fragment('related?limit=4');
    stage.answer('/v2/related', (_, response) => void response.destroy());
    await page.goto(publish(articlePage(stage, watch + served)));
    await page.waitForFunction('window.error');
    expect(await kept()).toBe(true);
    expect(await page.locator('li a').first().isVisible()).toBe(true);
    expect(await layoutShift(page)).toBe(0);
  });

  it('has its style from the widget where the page’s policy forbids its own', async () => {
    const policy = `script-src ${stage.host}; connect-src ${stage.host}; style-src 'self'`;
    const html = articlePage(stage, await fragment('top?limit=3&layout=grid'));
    await page.goto(stage.page('/strict', html, { 'Content-Security-Policy': policy }));
    const display = () => page.locator('nav [part=list]').evaluate((list) => getComputedStyle(list).display);
    await until('it is styled', async () => (await display()) === 'grid');
    expect(await page.locator('nav li').count()).toBe(3);
  });

  it('without a shadow root is taken over too', async () => {
    const served = await fragment('top?shadow=off&limit=3');
    await page.goto(publish(articlePage(stage, watch + served)));
    await page.waitForFunction('window.render');
    expect(await page.locator('[data-afterword] > .afterword > nav li').count()).toBe(3);
    expect(await kept()).toBe(true);
  });

  it('without a shadow root is seen all the time, however late the part is that draws it', async () => {
    const served = await fragment('top?shadow=off&limit=3');
    const look =
      '<script>hidden = 0; const look = () => { hidden += !document.querySelector("li a").checkVisibility(); requestAnimationFrame(look) }; addEventListener("DOMContentLoaded", look)</script>';
    await page.route('**/template-*', async (route) => {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await route.continue();
    });
    await page.goto(publish(articlePage(stage, watch + look + served)));
    await page.waitForFunction('window.render');
    expect(await page.evaluate('hidden')).toBe(0);
  });

  it('is drawn by the widget where it was put in as text, which makes no shadow root', async () => {
    const served = await fragment('top?limit=3');
    await page.goto(publish(articlePage(stage, '<main></main>')));
    await page.evaluate((html) => {
      document.querySelector('main')!.innerHTML = html;
    }, served);
    await until('it shows', async () => (await page.locator('nav li a').count()) === 3);
    expect(await page.locator('nav').count()).toBe(1);
  });

  it('stands in a frame that runs nothing, and its posts open outside of it', async () => {
    const frame = `${stage.host}/v2/fragment/top?apikey=example.com&document=1&limit=3&heading=Framed&layout=grid&image=1`;
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text());
    });
    const sandbox = 'allow-top-navigation-by-user-activation';
    await page.goto(
      bare(`<iframe title="More" sandbox="${sandbox}" src="${frame}" width="400" height="500"></iframe>`),
    );
    const inner = page.frameLocator('iframe');
    await inner.locator('li a').first().waitFor();
    expect(await inner.locator('[part=list]').evaluate((list) => getComputedStyle(list).display)).toBe('grid');
    const shape = (frame: HTMLElement): number => frame.clientWidth / frame.clientHeight;
    expect(await inner.locator('[part=frame]').first().evaluate(shape)).toBeCloseTo(1, 1);
    expect(violations).toEqual([]);
    await inner.locator('li a').first().click();
    await until('the post opens in the page', () => page.url() === post(0));
  });

  it.each([
    ['the letter', ''],
    ['the fallback', 'picture.svg'],
  ])('gives a picture that fails %s, as any other list', async (_, fallback) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"/>';
    stage.answer('/picture.svg', (_, response) => void response.setHeader('Content-Type', 'image/svg+xml').end(svg));
    await room.write(post(0), { imageUrl: `${stage.host}/gone.jpg` });
    const served = await fragment(`top?layout=grid&limit=1${fallback && `&fallback=${stage.host}/${fallback}`}`);
    await page.goto(publish(articlePage(stage, watch + served)));
    await page.waitForFunction('window.render');
    const source = () =>
      page.evaluate(() => document.querySelector('[data-afterword]')!.shadowRoot!.querySelector('img')?.src ?? '');
    await until('it is replaced', async () => (await source()) === (fallback && `${stage.host}/${fallback}`));
    expect(await kept()).toBe(true);
  });
});
