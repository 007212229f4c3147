// The same widget by other ways: frozen and pinned by its hash, and on pages with an older installation.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related"></div>';

describeInBrowser('the widget comes', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.calls.length = 0;
    page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
  });
  afterEach(() => page.close());

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

  const INSTALLATIONS: Record<string, (script: string) => string> = {
    'a marked element': (script) =>
      `<div id="parsely-root"><span id="parsely-cfg" data-parsely-site="example.com"></span></div>` +
      `<script>document.getElementById('parsely-root').append(Object.assign(document.createElement('script'), { src: '${script}', async: true }))</script>`,
    'a marked script': (script) =>
      `<script id="parsely-cfg" data-parsely-site="example.com" src="${script}" async></script>`,
    'the Site ID in the path': (script) =>
      `<script src="${script.replace('/p.js', '/keys/example.com/p.js')}"></script>`,
    'a settings object': (script) =>
      `<script>PARSELY = { apikey: 'example.com' }</script><script src="${script}"></script>`,
  };
  it.each(Object.keys(INSTALLATIONS))('to a page that has an installation already, with %s', async (name) => {
    const settings =
      '<script>window.PARSELY = { ...window.PARSELY, onload() { window.loadedWith = PARSELY.config.parsely_site_uuid } }</script>';
    const body = INSTALLATIONS[name]!(`${stage.host}/p.js`).replace(
      /(<script>PARSELY = .*?<\/script>)?/,
      `$1${settings}`,
    );
    await open(`<!doctype html><html lang="en"><title>Old</title><body>${SLOT}${body}</body></html>`);
    await listed();
    const { idsite, action, data } = await firstEvent();
    expect({ idsite, action }).toEqual({ idsite: 'example.com', action: 'pageview' });
    await page.waitForFunction(() => Reflect.get(window, 'loadedWith'));
    expect(await page.evaluate(() => Reflect.get(window, 'loadedWith'))).toBe(data!.parsely_site_uuid);
    await page.evaluate('PARSELY.conversions.trackNewsletterSignup("footer")');
    const conversion = await until('it is reported', () =>
      stage.events().find((event) => event.action === 'conversion'),
    );
    expect(conversion.data).toMatchObject({ _conversion_type: 'newsletter_signup', _conversion_label: 'footer' });
  });

  it('to a page that reports its views itself', async () => {
    const script = `<script>PARSELY = { autotrack: false }</script><script data-parsely-site="example.com" src="${stage.host}/p.js"></script>`;
    await open(`<!doctype html><html lang="en"><title>Old</title><body>${SLOT}${script}</body></html>`);
    await listed();
    await page.waitForFunction('PARSELY.loaded');
    await page.evaluate(`PARSELY.beacon.trackPageView({ url: '${stage.site}/by-hand' })`);
    const views = () => stage.events().filter(({ action }) => action === 'pageview');
    await until('the view is reported', () => views().length > 0);
    expect(views().map(({ url }) => url)).toEqual([`${stage.site}/by-hand`]);
    for (const { url } of stage.events()) expect(url).toMatch(/^http/);
  });
});
