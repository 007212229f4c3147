// The same widget by other ways: frozen and pinned by its hash, in parts as they are needed.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
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

  it('in one file with both parts where a list is near when the loader starts', async () => {
    const tag = `<script src="${stage.host}/afterword.js" data-site="example.com"></script>`;
    await open(`<!doctype html><title>A</title><link rel="icon" href="data:,">${SLOT}${tag}`);
    await listed();
    await firstEvent();
    expect(scripts().slice(0, 2)).toEqual(['/afterword.js', expect.stringMatching(/^\/both-/)]);
    expect(scripts().filter((path) => /^\/(page|list)-/.test(path))).toEqual([]);
  });

  it('with an event that says it where the file that draws a list does not come', async () => {
    await page.route('**/list-*', (route) => route.abort());
    const listen =
      "<script>addEventListener('afterword:error', ({ target }) => (window.failed = target.dataset.slot))</script>";
    await open(
      articlePage(stage, `${listen}<div style="height:9000px"></div>${SLOT.replace('>', ' data-slot="end">')}`),
    );
    await firstEvent();
    await page.evaluate(() => scrollTo(0, 9000));
    await page.waitForFunction(() => Reflect.get(window, 'failed') === 'end');
  });

  it('with no room kept for a list whose files do not come, also of a slot that is there later', async () => {
    await page.route(/\/(page|both|list)-\w+\.js/, (route) => route.abort());
    await open(articlePage(stage, SLOT));
    const rooms = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('[data-afterword]')].map((slot) => slot.offsetHeight),
      );
    await until('the room is given back', async () => (await rooms())[0] === 0);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<div data-afterword="top"></div>');
    });
    expect(await rooms()).toEqual([0, 0]);
  });

  it('with the rare part only to a page that has need of it, here a video', async () => {
    await open(articlePage(stage, SLOT));
    await listed();
    await page.evaluate(() => {
      const video = document.createElement('video');
      document.body.append(video);
      video.dispatchEvent(new Event('play'));
    });
    await until('the part that watches videos is there', () => scripts().some((path) => /^\/rare-/.test(path)));
    expect(scripts()).toHaveLength(4);
  });

  /** What is made by `new Intl.DateTimeFormat`, and the lists that show their posts, in order. */
  const watchFormatters = () =>
    page.addInitScript(() => {
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

  it('with dates in words only after the list is there, by one formatter for all lists', async () => {
    await watchFormatters();
    const slots = `${SLOT}<div data-afterword="top"></div>`;
    await open(articlePage(stage, slots).replace('lang="en"', 'lang="de"'));
    const inWords = page.locator('[data-afterword] time', { hasText: /März/ });
    await until('the dates are in words', async () => (await inWords.count()) === 10);
    const made = (await page.evaluate('made')) as string[];
    expect(made[0]).toBe('list');
    expect(made.filter((what) => what === 'formatter')).toHaveLength(1);
  });

  it('with English dates in words at once, and without a formatter', async () => {
    await watchFormatters();
    await page.addInitScript(() => {
      addEventListener('afterword:render', ({ target }) => {
        const dates = [...(target as HTMLElement).shadowRoot!.querySelectorAll('time')].map((date) => date.textContent);
        Reflect.set(window, 'dates', dates);
      });
    });
    await open(articlePage(stage, SLOT));
    await listed();
    const dates = (await page.evaluate('dates')) as string[];
    expect(dates).toHaveLength(5);
    for (const date of dates) expect(date).toMatch(/^Mar \d+(, \d{4})?$/);
    expect(await page.evaluate('made')).toEqual(['list']);
  });

  it.each(['en', 'en-US', 'en-GB'])(
    'with dates as the browser writes them in the page’s language, %s',
    async (lang) => {
      const days = ['2019-01-09T00:00:00', '2020-12-31T00:00:00', `${new Date().getFullYear()}-09-05T00:00:00`];
      const dated = days.map((pub_date, index) => ({
        title: `Post ${index}`,
        url: `${stage.site}/post-${index}`,
        pub_date,
      }));
      stage.answer('/v2/top', json({ data: dated, success: true }));
      await open(articlePage(stage, '<div data-afterword="top"></div>').replace('lang="en"', `lang="${lang}"`));
      // By the test's own formatter.
      const expected = days.map((day, index) =>
        new Date(day).toLocaleDateString(lang, {
          month: 'short',
          day: 'numeric',
          ...(index < 2 && { year: 'numeric' }),
        }),
      );
      const dates = page.locator('time');
      await until('the dates are in words', async () => /^\w+ \w+/.test((await dates.first().textContent())!));
      expect(await dates.allTextContents()).toEqual(expected);
      stage.answer('/v2/top', json({ data: records(20, stage.site), success: true }));
    },
  );

  it('without a skeleton where the posts come at once', async () => {
    await page.addInitScript(() => {
      const busy: boolean[] = [];
      Reflect.set(window, 'busy', busy);
      const { attachShadow } = Element.prototype;
      Element.prototype.attachShadow = function (init) {
        const root = attachShadow.call(this, init);
        const note = (): void => {
          for (const list of root.querySelectorAll('[part=list]')) busy.push(list.ariaBusy === 'true');
        };
        new MutationObserver(note).observe(root, { childList: true, subtree: true });
        return root;
      };
      // Time that only posts are waited for, and no machine.
      const wait = window.setTimeout;
      window.setTimeout = ((run: TimerHandler, delay?: number, ...args: unknown[]) =>
        wait(run, delay === 100 ? 100_000 : delay, ...args)) as typeof wait;
    });
    await open(articlePage(stage, SLOT));
    await listed();
    const busy = (await page.evaluate('busy')) as boolean[];
    expect(busy.length).toBeGreaterThan(0);
    expect(busy).not.toContain(true);
  });

  it('with one style sheet for all lists of a look', async () => {
    const slot = (layout: string): string => `<div data-afterword="top" data-layout="${layout}" data-limit="2"></div>`;
    await open(articlePage(stage, slot('grid') + slot('grid') + slot('compact')));
    await until('all show', async () => (await page.locator('[data-afterword] a').count()) === 6);
    const sheets = await page.evaluate(() => {
      const all = [...document.querySelectorAll('[data-afterword]')].flatMap(
        (slot) => slot.shadowRoot!.adoptedStyleSheets,
      );
      return all.map((sheet) => all.indexOf(sheet));
    });
    expect(sheets).toEqual([0, 0, 0]);
  });

  it('with the request of a list beside the file that shows it, not after it', async () => {
    let released = (): void => {};
    const held = new Promise<void>((resolve) => {
      released = resolve;
    });
    const { host } = stage;
    const isAsked = (path: string) =>
      until(`${path} is asked for`, () => stage.calls.some((call) => call.path === path));
    for (const file of ['both', 'list']) {
      await page.route(`${host}/${file}-*.js`, async (route) => {
        await held;
        await route.continue();
      });
    }
    // Near from the beginning: a ranking is asked for beside the file with both parts, which asks for the other list.
    await open(articlePage(stage, '<div data-afterword="top"></div>'));
    await isAsked('/v2/top/posts');
    // Further down: the list part is a file of its own.
    await open(articlePage(stage, `<div style="height:9000px"></div>${SLOT}`));
    await firstEvent();
    await page.evaluate(() => scrollTo(0, 9000));
    await isAsked('/v2/related');
    expect(await page.locator('[data-afterword] a').count()).toBe(0);
    released();
    await listed();
  });
});
