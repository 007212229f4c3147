// Whatever the server answers, nothing of it runs and nothing of the page breaks.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Answer, articlePage, json, openStage, records, type Stage } from '../support/stage.ts';

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** Each alone would run, break the layout or break the reader of records, were it believed. */
const HOSTILE: object[] = [
  { title: SCRIPT },
  { title: '"><svg onload=window.hacked=1>' },
  { title: '{{window.hacked=1}}' },
  { title: 'x'.repeat(10_000) },
  { title: 'W'.repeat(200) },
  { title: '\u202Edrawkcab\u2066 \u0000 \uD800 lone surrogate' },
  { title: 'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D'.repeat(50) },
  { title: ['a', 'list'] },
  { title: { toString: 'no function' } },
  { title: '' },
  { url: 'javascript:window.hacked=1' },
  { url: ' \u0001javascript:window.hacked=1' },
  { url: 'data:text/html,<script>opener.hacked=1</script>' },
  { url: 'vbscript:x' },
  { url: '//elsewhere.example/' },
  { url: 'http://[broken' },
  { url: 42 },
  { url: null },
  { image_url: 'javascript:window.hacked=1' },
  { image_url: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked=1"/>` },
  { image_url: 'http://127.0.0.1:1/refused.png' },
  { section: SCRIPT, author: SCRIPT },
  { pub_date: 'yesterday', section: '\u202E' },
  { pub_date: 1e99 },
  { constructor: 'x', __proto__: null, key: SCRIPT, ref: SCRIPT },
];

describeInBrowser('a page with lists stands whatever the server says', (browser) => {
  let stage: Stage;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    page = await browser().newPage({ viewport: { width: 800, height: 3000 } });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.addInitScript(() => {
      addEventListener('unhandledrejection', ({ reason }) => console.error(`unhandled: ${reason}`));
      for (const type of ['render', 'empty', 'error']) {
        addEventListener(`afterword:${type}`, ({ target }) => {
          (target as HTMLElement).dataset.rests = type;
        });
      }
    });
    page.on('console', (message) => {
      if (message.text().startsWith('unhandled')) complaints.push(message.text());
    });
  });
  afterEach(() => page.close());

  async function open(answer: Answer, body: string, attributes = ''): Promise<(string | undefined)[]> {
    for (const path of ['/v2/related', '/v2/top']) stage.answer(path, answer);
    await page.goto(stage.page('/article', articlePage(stage, `<script>window.own = 1</script>${body}`, attributes)));
    await page.waitForFunction(() => !document.querySelector('[data-afterword]:not([data-rests])'));
    return page
      .locator('[data-afterword]')
      .evaluateAll((slots) => slots.map((slot) => (slot as HTMLElement).dataset.rests));
  }

  it('shows the harmless part of hostile records, as text, and runs none', async () => {
    const data = records(HOSTILE.length, stage.site, (index) => HOSTILE[index]!);
    const rests = await open(
      json({ data: [null, 7, 'text', [], ...data], success: true }),
      '<div data-afterword="related" data-limit="40"></div><div data-afterword="related" data-limit="40"></div>',
    );
    // Two equal lists: the first takes the posts, the second has the same rather than none.
    expect(rests).toEqual(['render', 'render']);
    const links = page.locator('[data-afterword] a');
    const shown = await links.evaluateAll((anchors) => anchors.map((a) => (a as HTMLAnchorElement).href));
    expect(shown.length).toBeGreaterThan(10);
    for (const url of shown) expect(url).toMatch(/^https?:/);
    expect(await links.first().textContent()).toBe(SCRIPT);
    for (const link of await links.all()) await link.dispatchEvent('click', { button: 1 });
    expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide, 'nothing sticks out of the page').toBe(false);
    expect(complaints).toEqual([]);
  });

  const garbage: Record<string, Answer> = {
    'a page of HTML': (_, response) => void response.setHeader('Content-Type', 'text/html').end('<h1>Welcome</h1>'),
    nothing: (_, response) => void response.end(),
    'half of a list': (_, response) => void response.end('{"data":[{"title":"a","url"'),
    'another kind of list': json([1, 2, 3]),
    'a list that is none': json({ data: { length: 3 }, success: true }),
    null: json(null),
    'an error': json({ code: 403, message: 'Forbidden', success: false }),
    'a fault': (_, response) => void response.writeHead(500).end('{"code":500}'),
    'a closed door': (_, response) => void response.destroy(),
  };
  it.each(Object.keys(garbage))('shows the slot’s own children when it gets %s', async (name) => {
    const rests = await open(garbage[name]!, '<div data-afterword="top"><a href="/archive">Archive</a></div>');
    expect(rests).toEqual(['error']);
    expect(await page.locator('[data-afterword] > a').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows the slot’s own children when the server takes the question and never answers', async () => {
    stage.answer('/v2/top', () => {});
    await page.clock.install();
    const slot = '<div data-afterword="top"><a href="/archive">Archive</a></div>';
    await page.goto(stage.page('/article', articlePage(stage, slot)));
    await page.locator('[part=list][aria-busy=true]').waitFor();
    expect(await page.getByText('Archive').isVisible()).toBe(false);
    await page.clock.fastForward(11_000);
    await page.getByText('Archive').waitFor();
    expect(await page.locator('[data-rests=error]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('lets no list wait for a slot whose section is half of a surrogate pair', async () => {
    const empty = json({ data: [], success: true });
    const full = json({ data: records(8, stage.site), success: true });
    stage.answer('/v2/top', (call, response) => (call.query.has('section') ? empty : full)(call, response));
    const slots = '<div data-afterword="top"><p>Nothing yet</p></div><div data-afterword="top"></div>';
    const script = "<script>document.querySelector('[data-afterword]').dataset.section = '\\ud800'</script>";
    await page.goto(stage.page('/surrogate', articlePage(stage, slots + script)));
    await page.locator('[data-rests=render]').waitFor();
    await page.locator('[data-rests=empty]').waitFor();
    expect(await page.getByText('Nothing yet').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows the slot’s own children when there is nothing to show, and nothing where there are none', async () => {
    const slots = '<div data-afterword="top"><p>Nothing yet</p></div><div data-afterword="related"></div>';
    expect(await open(json({ data: [], success: true }), slots)).toEqual(['empty', 'empty']);
    expect(await page.getByText('Nothing yet').isVisible()).toBe(true);
    expect(await page.locator('nav').count()).toBe(0);
  });

  const paths = (kind: string) =>
    page
      .locator(`[data-afterword=${kind}] a`)
      .evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname));

  it('lists a ranking as it is, and in a related list neither the page itself nor a post twice', async () => {
    const here = (index: number): object => (index === 1 ? { url: `${stage.site}/article` } : {});
    const doubled = [...records(8, stage.site, here), ...records(8, stage.site, here)];
    await open(
      json({ data: doubled, success: true }),
      '<div data-afterword="top" data-limit="3"></div><div data-afterword="related" data-limit="3"></div>',
    );
    expect(await paths('top')).toEqual(['/post-1', '/article', '/post-3']);
    expect(await paths('related')).toEqual(['/post-4', '/post-5', '/post-6']);
  });

  it('never relates the page to itself, and marks it in a ranking, however it was come to', async () => {
    const here = (index: number): object => (index === 0 ? { url: `${stage.site}/shared` } : {});
    const slots = '<div data-afterword="related" data-repeat="on"></div><div data-afterword="top"></div>';
    for (const path of ['/v2/related', '/v2/top']) stage.answer(path, json({ data: records(8, stage.site, here) }));
    await page.goto(`${stage.page('/shared', articlePage(stage, slots))}?fbclid=x#comments`);
    await page.waitForFunction(() => document.querySelectorAll('[data-rests=render]').length === 2);
    expect((await paths('related'))[0]).toBe('/post-2');
    const current = page.locator('[data-afterword] a[aria-current=page]');
    expect(await current.evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).pathname))).toEqual(['/shared']);
    expect((await paths('top'))[0]).toBe('/shared');
  });

  it('asks once for slots of equal query', async () => {
    const before = stage.calls.length;
    const slot = '<div data-afterword="related" data-limit="2"></div>';
    await open(json({ data: records(9, stage.site), success: true }), slot + slot);
    expect(stage.calls.slice(before).filter(({ path }) => path === '/v2/related')).toHaveLength(1);
  });

  it('is there for a page that has an element of the same name', async () => {
    const html = articlePage(stage, '<div data-afterword="top"></div>').replace('<html', '<html id="afterword"');
    await page.goto(stage.page('/named', html));
    await page.locator('[data-rests=render]').waitFor();
    expect(await page.evaluate(() => new Promise((resolve) => window.afterword!.push(() => resolve('heard'))))).toBe(
      'heard',
    );
    expect(complaints).toEqual([]);
  });

  it('is not disturbed by a second copy of itself, or by a page that has odd globals', async () => {
    const second = `<script src="${stage.host}/afterword.one.js" data-site="example.com"></script>`;
    await open(json({ data: records(9, stage.site), success: true }), `<div data-afterword="top"></div>${second}`);
    expect(await page.locator('[data-afterword] a').count()).toBe(5);
    expect(complaints).toEqual([]);
  });
});
