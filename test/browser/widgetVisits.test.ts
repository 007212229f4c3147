// What is counted: a view once a reader sees the page, the time it is read, one id for one reader, and pages that change without a load.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { articlePage, openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const LONG = '<div style="height:6000px">Text</div><div data-afterword="related"></div>';

describeInBrowser('a reader is counted', (browser) => {
  let stage: Stage;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.calls.length = 0;
    stage.page('/a', articlePage(stage, LONG));
    stage.page('/b', articlePage(stage, LONG));
    context = await browser().newContext({ viewport: { width: 800, height: 800 } });
    await context.addInitScript(shortenPauses);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const events = (action: string): IncomingEvent[] => stage.events().filter((event) => event.action === action);
  const views = (count: number) =>
    until(`${count} views are reported`, () => (events('pageview').length >= count ? events('pageview') : undefined));
  const trained = (): (string | null)[] =>
    stage.calls.filter(({ path }) => path === '/v2/profile').map(({ query }) => query.get('url'));

  /** Resolve when the page has arrived: what is counted of a step is counted in a task that was begun in it. */
  const push = (address: string) =>
    page.evaluate((to) => {
      history.pushState(null, '', to);
      return new Promise<void>((done) => setTimeout(done));
    }, address);
  const back = () =>
    page.evaluate(() => {
      const arrived = new Promise<void>((done) => addEventListener('popstate', () => setTimeout(done), { once: true }));
      history.back();
      return arrived;
    });

  it('with the page, where it came from, and an id of its own', async () => {
    const opened = Date.now();
    await page.goto(`${stage.site}/a`);
    const [view] = await views(1);
    expect(view).toMatchObject({ idsite: 'example.com', url: `${stage.site}/a`, urlref: '' });
    expect(view!.eid).toMatch(/^[0-9a-f]{32}$/);
    expect(Number(view!.date)).toBeGreaterThan(opened - 1000);
    expect(Number(view!.date)).toBeLessThan(Date.now() + 1000);
    await until('the profile learns of it', () => trained().length > 0);
    expect(trained()).toEqual([`${stage.site}/a`]);
  });

  it('under the canonical address, with the campaign that brought the reader', async () => {
    stage.page('/c', articlePage(stage, `<link rel="canonical" href="${stage.site}/canonical#part">${LONG}`));
    await page.goto(`${stage.site}/c?utm_campaign=spring#here`);
    const [view] = await views(1);
    expect(view!.url).toBe(`${stage.site}/canonical?utm_campaign=spring`);
    await until('the profile learns of it', () => trained().length > 0);
    expect(trained()).toEqual([`${stage.site}/canonical`]);
  });

  it('as one reader in six tabs that open at once', async () => {
    const tabs = await Promise.all(Array.from({ length: 6 }, () => context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${stage.site}/a`)));
    const ids = new Set((await views(6)).map(({ data }) => data!.parsely_site_uuid));
    expect(ids.size).toBe(1);
  });

  it('as the same reader on the next page', async () => {
    await page.goto(`${stage.site}/a`);
    await views(1);
    await page.goto(`${stage.site}/b`);
    const [first, second] = await views(2);
    expect(second!.data).toEqual(first!.data);
  });

  it('with the time the page is read, however it is left', async () => {
    const opened = performance.now();
    await page.goto(`${stage.site}/a`);
    await views(1);
    const end = performance.now() + 2500;
    while (performance.now() < end) await page.mouse.wheel(0, 30);
    await page.goto(`${stage.site}/b`);
    const open = (performance.now() - opened) / 1000;
    const [beat] = await until('the time is reported', () =>
      events('heartbeat').length > 0 ? events('heartbeat') : undefined,
    );
    expect(beat!.url).toBe(`${stage.site}/a`);
    expect(beat!.inc).toBeGreaterThanOrEqual(1);
    expect(beat!.inc).toBeLessThanOrEqual(Math.ceil(open));
    expect(beat!.tt).toBe(beat!.inc);
  });

  it('without work every second while the reader does not move', async () => {
    await page.clock.install();
    await page.addInitScript(() => {
      const { querySelectorAll } = Document.prototype;
      Reflect.set(window, 'looks', 0);
      Document.prototype.querySelectorAll = function (selectors: string): NodeListOf<Element> {
        if (selectors === 'video') Reflect.set(window, 'looks', Reflect.get(window, 'looks') + 1);
        return querySelectorAll.call(this, selectors);
      };
    });
    await page.goto(`${stage.site}/a`);
    await until('the page is trained with', () => trained().length === 1);
    await page.clock.runFor(60_000);
    expect(await page.evaluate('looks')).toBe(1);
    await page.mouse.move(300, 300);
    await page.clock.runFor(60_000);
    // The five seconds for which a movement counts, and the look that finds them over.
    expect(await page.evaluate('looks')).toBe(7);
  });

  it('once an address, on pages that change without a load', async () => {
    await page.goto(`${stage.site}/a`);
    await views(1);
    await page.evaluate(() => {
      history.pushState(null, '', '/b');
      history.replaceState(null, '', '/b#part');
    });
    await views(2);
    await push('/b#other');
    await back();
    await push('/c');
    const seen = (await views(3)).map(({ url, urlref }) => [url, urlref]);
    expect(seen).toEqual([
      [`${stage.site}/a`, ''],
      [`${stage.site}/b`, `${stage.site}/a`],
      [`${stage.site}/c`, `${stage.site}/b`],
    ]);
  });

  it('on such pages where the browser has no Navigation API, too', async () => {
    await page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
    await page.goto(`${stage.site}/a`);
    await views(1);
    await push('/b');
    await back();
    const urls = (await views(3)).map(({ url }) => url);
    expect(urls).toEqual([`${stage.site}/a`, `${stage.site}/b`, `${stage.site}/a`]);
  });

  it('under the canonical address of the new page, whether its link is changed before or after the address', async () => {
    const link = `<link rel="canonical" href="${stage.site}/canonical-a">`;
    stage.page('/app', articlePage(stage, LONG).replace('</head>', `${link}</head>`));
    await page.goto(`${stage.site}/app`);
    await views(1);
    const move = (name: string, first: 'link' | 'address') =>
      page.evaluate(
        ([to, begin]) => {
          const set = () => document.querySelector('link[rel=canonical]')!.setAttribute('href', `/canonical-${to}`);
          if (begin === 'link') set();
          history.pushState(null, '', `/app/${to}`);
          if (begin === 'address') set();
          // The view is counted in a task that was begun before this one.
          return new Promise<void>((done) => setTimeout(done));
        },
        [name, first] as const,
      );
    await move('b', 'link');
    await move('c', 'address');
    await push('/app/d');
    await views(4);
    // Its link comes later, as that of a page whose document is fetched, and nothing is touched before the next step.
    await page.locator('link[rel=canonical]').evaluate((late) => late.setAttribute('href', '/canonical-d'));
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await push('/app/e');
    const urls = (await views(5)).map(({ url }) => url);
    expect(urls, 'and its own address where the link is of the page before').toEqual([
      `${stage.site}/canonical-a`,
      `${stage.site}/canonical-b`,
      `${stage.site}/canonical-c`,
      `${stage.site}/app/d`,
      `${stage.site}/app/e`,
    ]);
  });

  it('once, with one question for its list, whatever becomes of its fragment, its state or the campaign in its address', async () => {
    const canonical = `<link rel="canonical" href="${stage.site}/canonical">`;
    stage.page('/a', articlePage(stage, `${canonical}<div data-afterword="related"></div>`));
    await page.goto(`${stage.site}/a?utm_campaign=spring`);
    await views(1);
    await until('the list is there', async () => (await page.locator('[data-afterword] a').count()) === 5);
    await page.evaluate(() => {
      history.replaceState(null, '', location.pathname);
      history.replaceState({ scrolled: 1 }, '');
      history.pushState({ open: true }, '');
      location.hash = 'comments';
    });
    await back();
    await push('/b');
    const urls = (await views(2)).map(({ url }) => url);
    expect(urls).toEqual([`${stage.site}/canonical?utm_campaign=spring`, `${stage.site}/b`]);
    const asked = stage.calls.filter(({ path }) => path === '/v2/related').map(({ query }) => query.get('url'));
    expect(asked).toEqual([`${stage.site}/canonical`, `${stage.site}/b`]);
  });

  it('with the lists of the new page there', async () => {
    await page.goto(`${stage.site}/a`);
    await page.locator('[data-afterword]').scrollIntoViewIfNeeded();
    const askedFor = (url: string) => () =>
      stage.calls.some(({ path, query }) => path === '/v2/related' && query.get('url') === url);
    await until('the first page has its list', askedFor(`${stage.site}/a`));
    await page.evaluate(() => history.pushState(null, '', '/b'));
    await until('the second page has its list', askedFor(`${stage.site}/b`));
  });

  it('on pages that come back from the back-forward cache, and keeps none out of it', async () => {
    await page.addInitScript(() => {
      const types = new Set<string>();
      Reflect.set(window, 'listens', types);
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (...args) {
        types.add(args[0]);
        add.apply(this, args);
      };
    });
    await page.goto(`${stage.site}/a`);
    await views(1);
    // A driven browser has no such cache: the page gets the events that the browser would send. The real one is in
    // widgetReturns.test.ts.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    const [first, second] = await views(2);
    expect(second!.url).toBe(first!.url);
    expect(second!.eid).not.toBe(first!.eid);
    const types = await page.evaluate(() => [...(Reflect.get(window, 'listens') as Set<string>)]);
    expect(types).toContain('pageshow');
    for (const type of ['unload', 'beforeunload']) expect(types).not.toContain(type);
  });

  it('not before the page is seen', async () => {
    await page.addInitScript(() => {
      let hidden = true;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
      Reflect.set(window, 'activate', () => {
        hidden = false;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
    });
    await page.goto(`${stage.site}/a`);
    await page.locator('[data-afterword]').scrollIntoViewIfNeeded();
    await until('the list is asked for', () => stage.calls.some(({ path }) => path === '/v2/related'));
    expect([...events('pageview'), ...trained()]).toEqual([]);
    await page.evaluate(() => (Reflect.get(window, 'activate') as () => void)());
    await views(1);
  });

  it('although the first report is lost, and once when the answer is', async () => {
    let failures = 1;
    stage.answer('/events', (_, response) => {
      if (failures-- > 0) response.writeHead(503).end();
      else response.end('{}');
    });
    await page.goto(`${stage.site}/a`);
    const [first, again] = await views(2);
    expect(again, 'the same event, to be counted once').toEqual(first);
  });
});
