// Now, and the wall, in a real browser in front of a site whose clock the test turns: what is shown is what the API says.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { NowRecord } from '../../server/contract/now.ts';
import { HOUR, SECOND } from '../../server/durations.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { page as address, NOW, openReadPaper } from '../support/readPaper.ts';
import { until } from '../support/until.ts';
import { HOSTILE } from './newsroomPage.ts';
import { serveConsole } from './servedConsole.ts';

describeInBrowser('now', (browser) => {
  let room: Newsroom;
  let server: Awaited<ReturnType<typeof serveConsole>>;
  let context: BrowserContext;
  let page: Page;
  let isAway = false;
  let time = NOW;
  const errors: string[] = [];

  beforeAll(async () => {
    room = await openReadPaper();
    await room.write(address('b'), { title: HOSTILE, section: 'World' });
    const { traffic } = room.deps.store;
    const failing: typeof traffic = {
      run: (query) =>
        isAway ? Promise.reject(new StoreUnavailableError('The database is away.')) : traffic.run(query),
    };
    server = await serveConsole({ ...room.deps, store: { ...room.deps.store, traffic: failing } });
  });
  afterAll(async () => {
    server.close();
    await room.close();
  });
  beforeEach(async () => {
    errors.length = 0;
    context = await browser().newContext({ viewport: { width: 1440, height: 1000 } });
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await watchLayoutShift(page);
    // Timers of the page wait for the test.
    await page.clock.install({ time: NOW });
  });
  afterEach(async () => {
    isAway = false;
    await context.close();
    expect(errors).toEqual([]);
  });

  /** Lets time pass for the server and for the page. */
  async function pass(milliseconds: number): Promise<void> {
    time += milliseconds;
    room.setNow(time);
    await page.clock.runFor(milliseconds);
  }

  async function open(search: string): Promise<void> {
    await page.goto(server.url + search);
    await page.getByLabel('Site ID').fill(room.site.id);
    await page.getByLabel('Secret').fill(room.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-figure=visitors]').waitFor();
  }

  const api = async (params = {}) =>
    (await room.ask('/analytics/now', { posts: '15', ...params })).data[0] as unknown as NowRecord;

  /** Every figure of the view, as numbers. */
  const shown = () =>
    page.evaluate(() => {
      const valuesOf = (selector: string) =>
        [...document.querySelectorAll<HTMLElement>(selector)].map(({ dataset }) => Number(dataset.value));
      return {
        figures: valuesOf('[data-figure]'),
        posts: valuesOf('.posts [data-value]'),
        sources: valuesOf('[aria-label=Sources] [data-value]'),
        sections: valuesOf('[aria-label=Sections] [data-value]'),
        kinds: valuesOf('.kinds [data-value]'),
      };
    });

  async function expectTruth(params = {}): Promise<void> {
    const { figures, posts, referrers, sections, sources } = await api(params);
    const visitors = (rows: readonly { visitors: number }[]) => rows.map((row) => row.visitors);
    const expected = {
      figures: figures.map(({ value }) => value),
      posts: visitors(posts),
      sources: visitors(referrers),
      sections: visitors(sections),
      kinds: sources.filter(({ views, usual }) => views > 0 || (usual?.high ?? 0) > 0).map(({ views }) => views),
    };
    await until('the view shows what the API says', async () => {
      const seen = await shown();
      return JSON.stringify(seen) === JSON.stringify(expected);
    });
  }

  it('shows what the API says, in words as well, and updates by itself without moving', async () => {
    await open('?view=now');
    await expectTruth();
    const readers = page.locator('.figure.visitors');
    expect(await readers.innerText()).toContain('More than usual, usual 2 to 7 for a Tuesday at 10:00');
    const search = page.locator('.kinds tr', { hasText: 'Search engines' });
    expect(await search.innerText()).toMatch(/More than usual, usual 0\s+9$/);
    expect(await page.locator('.kinds tr', { hasText: 'Assistants' }).count()).toBe(0);
    expect(await page.locator('.posts tbody').innerText()).toContain(HOSTILE);
    expect(await page.title()).toMatch(/ · Afterword$/);
    const before = await layoutShift(page);
    await room.happen({ url: address('a'), visitor: '9001' }, { url: address('a'), visitor: '9002' });
    await pass(10 * SECOND);
    await expectTruth();
    expect((await api()).figures[0]!.value).toBe(11);
    expect(await layoutShift(page)).toBeLessThanOrEqual(before + 0.02);
  });

  it('says which filters of the address are left out', async () => {
    await open('?view=now&section=World&author=Ann&referrer=search');
    const note = 'The filters by author and referrer are left out here: Now is narrowed by section alone.';
    await page.getByText(note).waitFor();
    await expectTruth({ section: 'World' });
    expect(await axeFindings(page)).toEqual([]);
    const wall = await page.getByRole('link', { name: 'Show on a wall' }).getAttribute('href');
    expect(wall).toBe('?view=wall&section=World');
    await page.goto(`${server.url}?view=wall&author=Ann`);
    await page.getByText('The filter by author is left out here').waitFor();
  });

  it('says of each kind of source what its picture shows: what is usual are whole views', async () => {
    await open('?view=now');
    const fromA = { referrerType: 'internal', referrerUrl: address('a') } as const;
    await room.happen(...[9103, 9104, 9105].map((visitor) => ({ url: address('b'), visitor: `${visitor}`, ...fromA })));
    await pass(10 * SECOND);
    await expectTruth();
    const { sources } = await api();
    const internal = sources.find(({ category }) => category === 'internal');
    expect(internal).toMatchObject({ views: 4, usual: { low: 1, high: 4 }, place: 'within' });
    const seen = await page.locator('.kinds tbody tr').evaluateAll((rows) =>
      rows.map((row) => {
        const place = (part: string, name: string) =>
          Number.parseFloat(row.querySelector(part)?.getAttribute(name) ?? '');
        const [from, at] = [place('.half', 'x'), place('circle', 'cx')];
        const to = from + place('.half', 'width');
        return [row.querySelector('.says')?.textContent, at < from ? 'below' : at > to ? 'above' : 'within'];
      }),
    );
    const SAID = { above: 'More than usual', within: 'As usual', below: 'Less than usual' };
    expect(seen).toEqual(
      sources.flatMap(({ views, usual, place }) => {
        const { low, high } = usual!;
        if (views === 0 && high === 0) return [];
        return [[`${SAID[place!]}, usual ${low === high ? low : `${low} to ${high}`}`, place]];
      }),
    );
  });

  it('says that the figures are still those of all sections, until those of the chosen one come', async () => {
    await open('?view=now');
    const main = page.getByRole('main');
    expect(await main.getAttribute('aria-busy')).toBe('false');
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/analytics/now?*section=*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('region', { name: 'Sections' }).getByRole('button', { name: 'Sport' }).click();
    await page.getByRole('list', { name: 'Filters' }).waitFor();
    expect(await main.getAttribute('aria-busy')).toBe('true');
    answer();
    await expectTruth({ section: 'Sport' });
    expect(await main.getAttribute('aria-busy')).toBe('false');
  });

  it('narrows everything to a section, and says of today what the API says', async () => {
    await open('?view=now');
    await page.getByRole('region', { name: 'Sections' }).getByRole('button', { name: 'Sport' }).click();
    await expectTruth({ section: 'Sport' });
    expect(new URL(page.url()).search).toContain('section=Sport');
    await page.getByText('Nothing is usual yet: it takes three weeks').waitFor();
    await page.getByRole('list', { name: 'Filters' }).getByRole('button').click();
    await expectTruth();
    const { today } = await api();
    const slider = page.getByRole('slider');
    await slider.press('Home');
    for (let quarter = 0; quarter < 40; quarter++) await slider.press('ArrowRight');
    const { views, usual } = today[40]!;
    expect([views, usual]).not.toContain(null);
    const { low, high } = usual!;
    expect(await slider.getAttribute('aria-valuetext')).toBe(
      `10:00: ${views} so far, usual ${Math.round(low)} to ${Math.round(high)}`,
    );
  });

  it('asks nothing while it is hidden, at once when it is shown, and less often while the server fails', async () => {
    await open('?view=now');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/analytics/now')) asked++;
    });
    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    await pass(60 * SECOND);
    expect(asked).toBe(0);
    await hide(false);
    await until('it asks', () => asked === 1);
    await expectTruth();
    const figure = await page.locator('[data-figure=visitors]').innerText();
    isAway = true;
    await pass(10 * SECOND);
    await until('it has asked a busy server three times', async () => {
      await page.clock.runFor(SECOND);
      return await page.getByText('Asked again in 20 seconds').isVisible();
    });
    expect(await page.locator('.updated').innerText()).toMatch(/^Last updated \d\d:\d\d:\d\d$/);
    expect(await page.locator('[data-figure=visitors]').innerText()).toBe(figure);
    expect(await axeFindings(page)).toEqual([]);
    isAway = false;
    await page.getByRole('button', { name: 'Ask now' }).click();
    await page.getByText('Asked again').waitFor({ state: 'detached' });
    await expectTruth();
  });

  it('says that figures are old where an answer is waited for for a minute', async () => {
    await open('?view=now');
    await page.route('**/analytics/now?*', () => {});
    const asked = page.waitForRequest('**/analytics/now?*');
    await pass(10 * SECOND);
    await asked;
    await pass(60 * SECOND);
    await page.getByText('The server did not answer.').first().waitFor();
    expect(await page.locator('.updated').innerText()).toMatch(/^Last updated/);
    await page.unroute('**/analytics/now?*');
    await pass(20 * SECOND);
    await expectTruth();
  });

  it('fills the screen of a wall, as its address says, until the session ends', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await open('?view=wall&posts=2&theme=dark');
    expect([await page.locator('.bar').count(), await page.locator('.read li').count()]).toEqual([0, 2]);
    const { figures, sources } = await api({ posts: '2' });
    expect(await page.locator('[data-figure=visitors]').innerText()).toBe(String(figures[0]!.value));
    const views = new Map(sources.map((source) => [source.category as string, source.views]));
    const kinds = await page.locator('.kinds [data-source]').all();
    const seen = await Promise.all(
      kinds.map(async (one) => [(await one.getAttribute('data-source'))!, Number(await one.innerText())] as const),
    );
    expect(seen).toEqual([...seen].sort(([, one], [, other]) => other - one));
    expect(seen).toEqual(seen.map(([category]) => [category, views.get(category)]));
    expect(seen.length, 'kinds of sources').toBe(Math.min(3, sources.filter((source) => source.views > 0).length));
    const sizes = await page.evaluate(() => {
      const sizeOf = (selector: string) =>
        Number.parseFloat(getComputedStyle(document.querySelector(selector)!).fontSize);
      const { scrollHeight, scrollWidth } = document.documentElement;
      return { readers: sizeOf('.readers strong'), title: sizeOf('.read .title'), scrollHeight, scrollWidth };
    });
    expect(sizes).toMatchObject({ scrollHeight: 1080, scrollWidth: 1920 });
    expect(sizes.readers).toBeGreaterThan(100);
    expect(sizes.title).toBeGreaterThan(26);
    const schemeOf = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await schemeOf()).toBe('dark');
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await schemeOf()).toBe('light');
    await page.emulateMedia({ media: 'screen' });
    time += 12 * HOUR;
    room.setNow(time);
    await page.clock.runFor(10 * SECOND);
    await page.getByText('The session has ended').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    time = NOW + 1000 * SECOND;
    room.setNow(time);
  });

  it('is accessible on a desktop and a phone, in light and dark, and fits them', async () => {
    room.setNow(NOW);
    await open('?view=now');
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect([width, colorScheme, await axeFindings(page)]).toEqual([width, colorScheme, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
