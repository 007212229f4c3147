// A reader of the demo, in a real browser: opens an article, reads, follows a recommendation, and all of it is stored.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type TestDemo } from '../demo/startDemo.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { until } from '../support/until.ts';

interface Figures {
  views: number;
  engaged_minutes: number;
}

/** Milliseconds of scrolling through an article. */
const READING_MS = 3500;

describeInBrowser('a reader of the demo', (browser) => {
  let demo: TestDemo;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    await awayFromMidnight();
    demo = await startDemo();
  });
  afterAll(async () => {
    await page?.context().close();
    await demo.stop();
    await removeDataDirs();
  });

  /** One without a profile. */
  async function newReader(): Promise<Page> {
    complaints.length = 0;
    // A headless browser says so, and bots are not counted: this one travels as the browser it is.
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser().version()} Safari/537.36`;
    const context = await browser().newContext({ viewport: { width: 1280, height: 900 }, userAgent });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.addInitScript(watchShifts);
    return page;
  }

  const links = async (kind: 'related' | 'top') =>
    page
      .locator(`[data-afterword="${kind}"] a`)
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));

  /** Views and engaged minutes of an article, as an editor asks for them. */
  async function figures(url: string): Promise<Figures> {
    const [views, engaged] = await Promise.all(['views', 'engaged_minutes'].map((sort) => analytics(url, sort)));
    return { views: views ?? 0, engaged_minutes: engaged ?? 0 };
  }

  async function analytics(url: string, sort: string): Promise<number | undefined> {
    const params = { apikey: demo.site, secret: demo.secret!, period_start: '5d', limit: 500, sort };
    const { data } = await getJson<{ data: { url: string; metrics: Record<string, number> }[] }>(
      demo,
      '/v2/analytics/posts',
      params,
    );
    return data.find((post) => post.url === url)?.metrics[sort];
  }

  async function readOn(): Promise<void> {
    const end = performance.now() + READING_MS;
    for (let down = true; performance.now() < end; down = !(await atTheEnd(page))) {
      await page.mouse.wheel(0, down ? 160 : -4000);
    }
  }

  it('sees both lists, reads on, follows a recommendation, and leaves views, engaged time and a profile', async () => {
    await page?.context().close();
    page = await newReader();
    const opened = performance.now();
    await page.goto(`${demo.paper}/`);
    const newest = page.locator('.front-new .headline a').first();
    const first = new URL((await newest.getAttribute('href'))!, demo.paper).href;
    const before = await figures(first);
    await newest.click();
    await page.waitForURL(first);

    await page.locator('[data-afterword="related"]').scrollIntoViewIfNeeded();
    const related = await until('the related list has six articles', async () => {
      const shown = await links('related');
      return shown.length === 6 ? shown : undefined;
    });
    const top = await until('the most-read list has seven articles', async () => {
      const shown = await links('top');
      return shown.length === 7 ? shown : undefined;
    });
    for (const url of [...related, ...top]) expect(url).toMatch(new RegExp(`^${demo.paper}/article/`));
    expect(related).not.toContain(first);
    expect(new Set([...related, ...top]).size).toBe(13);

    expect(await axeFindings(page)).toEqual([]);

    await page.evaluate(() => scrollTo(0, 0));
    await readOn();
    expect(await shifts(page)).toBe(0);

    const link = page.locator('[data-afterword="related"] a').first();
    const second = await link.evaluate((anchor) => (anchor as HTMLAnchorElement).href);
    const secondBefore = await figures(second);
    await link.click();
    await page.waitForURL(second);
    const read = (performance.now() - opened) / 1000;
    await page.locator('[data-afterword="related"]').scrollIntoViewIfNeeded();
    const then = await until('the second article has its list', async () => {
      const shown = await links('related');
      return shown.length === 6 ? shown : undefined;
    });
    expect(then).not.toContain(second);
    expect(then, 'an article that was read is not recommended again').not.toContain(first);
    expect(await shifts(page)).toBe(0);

    const after = await until('the reading is counted', async () => {
      const now = await figures(first);
      return now.engaged_minutes > before.engaged_minutes && now.views > before.views ? now : undefined;
    });
    expect(after.views).toBe(before.views + 1);
    const seconds = (after.engaged_minutes - before.engaged_minutes) * 60;
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(Math.max(20, read));
    await until('the second view is counted', async () => (await figures(second)).views === secondBefore.views + 1);

    const uuid = await visitorId(page);
    const history = await until('the profile knows both articles', async () => {
      const { data } = await getJson<{ data: { urls: string[] } }>(demo, '/v2/history', { apikey: demo.site, uuid });
      return data.urls.includes(second) ? data.urls : undefined;
    });
    expect(history.filter((url) => url.includes('/article/'))).toEqual([second, first]);
  });

  it('is shown what is known: the id, the history and the picks', async () => {
    const uuid = await visitorId(page);
    await page.goto(`${demo.paper}/_behind`);
    await page.locator('#picks li').first().waitFor();
    await page.locator('#history a').first().waitFor();
    expect(await page.locator('#visitor').textContent()).toBe(uuid);
    const read = await page.locator('#history a').evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    const picks = await page.locator('#picks a').evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    expect(read.filter((url) => url.includes('/article/'))).toHaveLength(2);
    // As many as are related to the two articles: few where these have little in common with others.
    expect(picks.length).toBeGreaterThan(0);
    expect(picks.filter((url) => read.includes(url))).toEqual([]);
  });

  it('is a new reader after asking to be forgotten', async () => {
    const before = await visitorId(page);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Forget me' }).click()]);
    await page.locator('#picks li').first().waitFor();
    const after = await visitorId(page);
    expect(after).toMatch(/^[0-9a-f]{32}$/);
    expect(after).not.toBe(before);
    const { data } = await getJson<{ data: { urls: string[] } }>(demo, '/v2/history', {
      apikey: demo.site,
      uuid: after,
    });
    expect(data.urls.filter((url) => url.includes('/article/'))).toEqual([]);
  });

  it('meets no error on the way', () => {
    expect(complaints).toEqual([]);
  });

  it('finds articles by a form that needs no script, page by page', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${demo.paper}/`);
    await page.click('text=Search');
    await page.fill('input[type=search]', 'design systems');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=design+systems');
    expect(await page.textContent('#said')).toBe('Articles 1 to 10 for “design systems”.');
    const found = page.locator('.result h2 a');
    const first = await found.allTextContents();
    expect(first).toHaveLength(10);
    await page.click('a[rel=next]');
    expect(await page.textContent('#said')).toMatch(/^Articles 11 to \d\d for “design systems”\.$/);
    for (const title of await found.allTextContents()) expect(first).not.toContain(title);
    await page.click('a[rel=prev]');
    expect(await found.allTextContents()).toEqual(first);
    await found.first().click();
    expect(await page.textContent('h1')).toBe(first[0]);
    await page.goto(`${demo.paper}/search?q=xyzzy`);
    expect(await page.textContent('#said')).toBe('Nothing found for “xyzzy”.');
    await context.close();
  });

  it('sees results while typing, by keyboard alone, and finds an article by its address', async () => {
    const reader = await newReader();
    await reader.goto(`${demo.paper}/search`);
    const found = reader.locator('.result h2 a');
    // Browsers give a field its focus when they first draw it, which may be after the page has loaded.
    await reader.locator('input[type=search]:focus').waitFor();
    await reader.keyboard.type('accessibil');
    await until('results are here', async () => (await found.count()) === 10);
    expect(await reader.textContent('#said')).toBe('Articles 1 to 10 for “accessibil”.');
    expect(reader.url()).toBe(`${demo.paper}/search`);
    expect(await axeFindings(reader)).toEqual([]);
    const address = (await found.nth(2).getAttribute('href'))!;
    await reader.fill('input[type=search]', address);
    await until('one is left', async () => (await found.count()) === 1);
    expect(await found.getAttribute('href')).toBe(address);
    await reader.fill('input[type=search]', '');
    await until('none is left', async () => (await found.count()) === 0);
    expect(complaints).toEqual([]);
    await reader.context().close();
  });
});

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** Runs in the page before anything else: adds up every layout shift, those after a touch included. */
function watchShifts(): void {
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.layoutShift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

function shifts(page: Page): Promise<number> {
  return page.evaluate(() => window.layoutShift);
}

function atTheEnd(page: Page): Promise<boolean> {
  return page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
}

/** The id the widget keeps in the newspaper's own storage, once it is there: who opens that too early makes an empty one. */
function visitorId(page: Page): Promise<string> {
  return until('the reader has an id', () => page.evaluate(lookUpVisitor));
}

async function lookUpVisitor(): Promise<string | undefined> {
  const known = await indexedDB.databases();
  if (!known.some(({ name }) => name === 'afterword')) return undefined;
  return await new Promise<string | undefined>((done, fail) => {
    const opening = indexedDB.open('afterword');
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('keyval').objectStore('keyval').get('visitor');
      reading.onerror = () => fail(reading.error);
      reading.onsuccess = () => done(reading.result);
      opening.result.close();
    };
  });
}
