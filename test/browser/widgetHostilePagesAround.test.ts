// Pages whose scripts, policies and workers stand in the widget's way; and pages that readers leave without a load.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type HostileStage, openHostileStage } from '../support/hostileStage.ts';
import { until } from '../support/until.ts';
import { type HostilePage, OWN, SLOT } from './hostilePages.ts';

const script = (code: string): HostilePage => ({ before: `<script>${code}</script>` });

const INTRINSICS: Record<string, HostilePage> = {
  'the prototype of arrays frozen': script('Object.freeze(Array.prototype)'),
  'all intrinsics frozen': script(
    'for (const i of [Object, Function, Array, String, Number, Boolean, Promise, Map, Set, WeakMap, WeakSet, Date, RegExp, Error, Symbol]) { Object.freeze(i.prototype); Object.freeze(i); } for (const i of [Math, JSON, Reflect]) Object.freeze(i)',
  ),
  'Prototype’s methods of arrays': script(
    'Array.from = function (list) { var all = [], n = list.length; for (var i = 0; i < n; i++) all[i] = list[i]; return all }; Array.prototype.reduce = function () { return this[0] }; Array.prototype.entries = function () { return this }; Array.prototype.toJSON = function () { return "[]" }; Object.prototype.toJSON = undefined',
  ),
  'MooTools’ own Document, Window and Element': script(
    'window.Document = document.$constructor = function () {}; window.Window = function () {}; window.Element = function () {}',
  ),
  'additions to every object and list that can be enumerated': script(
    'Object.prototype.extend = Object.prototype.each = Array.prototype.each = Array.prototype.clone = function () {}',
  ),
};

const POLICIES: Record<string, HostilePage> = {
  'no connection, no style, no picture': {
    headers: { 'Content-Security-Policy': "connect-src 'none'; style-src 'self'; img-src 'none'" },
    counts: false,
  },
  'Trusted Types without any policy': {
    headers: { 'Content-Security-Policy': "require-trusted-types-for 'script'; trusted-types 'none'" },
  },
  'a sandbox without an origin': { headers: { 'Content-Security-Policy': 'sandbox allow-scripts' } },
  'a base elsewhere': { before: '<base href="EVIL/">' },
  'two tags and another build': {
    before:
      '<script src="HOST/afterword.one.js" data-site="example.com"></script><script src="HOST/afterword.js" data-site="example.com"></script>',
  },
  'a page that is written by itself': {
    after: '<script>document.write("<p>Written</p>")</script>',
  },
};

describeInBrowser(
  'nothing foreign runs, the page is unharmed and its list or its own content shows, with',
  (browser) => {
    let hostile: HostileStage;
    beforeAll(async () => {
      hostile = await openHostileStage(browser());
    });
    afterAll(() => hostile.close());

    for (const pages of [INTRINSICS, POLICIES])
      it.concurrent.each(Object.keys(pages))('%s', (name) => hostile.judge(pages[name]!));

    it.concurrent('XHTML', async () => {
      const page: HostilePage = { headers: { 'Content-Type': 'application/xhtml+xml; charset=utf-8' } };
      const html = hostile.write({ ...page, before: `<img name="currentScript" src="EVIL/x.png" />` });
      await hostile.judge(page, html.replace(/ (data-site="[^"]*") ></, ' $1><'));
    });

    it.concurrent('bodies that are swapped as Turbo swaps them', async () => {
      await hostile.judge({ counts: false }, undefined, async (page) => {
        await page.evaluate((slot) => {
          for (let n = 1; n < 4; n++) {
            history.pushState(null, '', `?${n}`);
            const body = document.createElement('body');
            body.innerHTML = `<p id="unharmed">Text</p>${slot}`;
            document.body.replaceWith(body);
          }
        }, SLOT);
        return page;
      });
    });

    it.concurrent.each([
      ['of another document', ''],
      ['without an origin', 'sandbox="allow-scripts"'],
      ['without credentials or referrer', 'credentialless referrerpolicy="no-referrer" loading="lazy"'],
    ])('a frame %s', async (what, attributes) => {
      await hostile.judge({}, undefined, async (page, url) => {
        const frame = `<!doctype html><title>Outer</title><iframe ${attributes} width="780" height="2900" src="${url}#framed"></iframe>`;
        await page.goto(hostile.stage.page(`/frame-${what.replaceAll(' ', '-')}`, frame));
        const framed = await until('the frame is there', () =>
          page.frames().find((found) => found.url().endsWith('#framed')),
        );
        await framed.waitForSelector('.slot');
        return framed;
      });
    });

    it.concurrent('a document that is opened and written anew after it was read', async () => {
      const html = hostile.write({});
      await hostile.judge({}, html, async (page) => {
        await page.locator('.slot a[part]').first().waitFor();
        await page.evaluate(
          (written) => {
            document.open();
            document.write(written);
            document.close();
          },
          html.replaceAll('HOST', hostile.stage.host),
        );
        return page;
      });
    });

    it.concurrent.each([
      ['answers with pages of HTML instead of parts', '/(both|page|list)-/', 'fallback'],
      ['answers with pages of HTML instead of lists', '/v2/', 'fallback'],
    ] as const)('a service worker that %s', async (_, pattern, shows) => {
      const { stage } = hostile;
      const scope = `/worker-${shows}-${pattern.length}`;
      const worker = `addEventListener('activate', () => clients.claim()); addEventListener('fetch', (event) => {
      const wanted = new RegExp(${JSON.stringify(pattern.replaceAll('/', ''))}).test(event.request.url);
      if (wanted) event.respondWith(new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })); });`;
      stage.page(`${scope}.js`, worker, { 'Content-Type': 'text/javascript', 'Service-Worker-Allowed': '/' });
      await hostile.judge({ shows, counts: false }, undefined, async (page) => {
        await page.evaluate(async (url) => {
          await navigator.serviceWorker.register(url, { scope: '/' });
          await new Promise((resolve) => {
            if (navigator.serviceWorker.controller) resolve(true);
            else navigator.serviceWorker.addEventListener('controllerchange', resolve);
          });
        }, `${scope}.js`);
        await page.reload();
        return page;
      });
    });

    it('sixty pages left without a load, of which no element and no list is kept', async () => {
      const { stage } = hostile;
      const context = await browser().newContext({ viewport: { width: 800, height: 1000 } });
      const main = `<main><div data-afterword="top">${OWN}</div>${'<p>Text</p>'.repeat(500)}<div data-afterword="related"></div></main>`;
      const html = `<!doctype html><title>App</title><script src="${stage.host}/afterword.js" data-site="example.com"></script>${main}`;
      const page = await context.newPage();
      await page.goto(stage.page('/app', html));
      const devtools = await context.newCDPSession(page);
      const nodes = async (): Promise<number> => {
        await devtools.send('HeapProfiler.collectGarbage');
        return (await devtools.send('Memory.getDOMCounters')).nodes;
      };
      const shown = () => page.locator('[data-afterword=top] a[part]').count();
      await until('the first list shows', async () => (await shown()) === 5);
      const before = await nodes();
      for (let n = 1; n <= 60; n++) {
        await page.evaluate(
          ([path, inner]) => {
            history.pushState(null, '', path);
            const next = document.createElement('main');
            next.innerHTML = inner!;
            document.querySelector('main')!.replaceWith(next);
          },
          [`/app-${n}`, main.slice(6, -7)],
        );
        await until('the list of the new page shows', async () => (await shown()) === 5);
      }
      // Every page has more than a thousand.
      expect(before).toBeGreaterThan(1000);
      await until('no more than some pages are in memory', async () => (await nodes()) < 3 * before, 30_000);
      await context.close();
    });
  },
);
