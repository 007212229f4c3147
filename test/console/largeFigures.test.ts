// Figures of a large site, on a phone as well: none is cut off, and none runs into what stands beside it.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

/** Of seven digits and more, from those of a small site. */
const TIMES = 1_234_567;
/** Metrics that are shares, which stay as they are. */
const SHARE = /rate|recirculation/;

type Json = Record<string, unknown>;

/** Each figure of an answer, so many times. */
const enlarged = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => enlarged(one, name));
  if (typeof value === 'number') return SHARE.test(name) ? value : Math.round(value * TIMES);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Json).map(([key, one]) => [key, enlarged(one, key)]));
};

async function enlarge(page: Page, paths: string): Promise<void> {
  await page.route(paths, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: enlarged(await answer.json()) });
  });
}

/** Texts of elements that are wider than the element. */
const spilled = (all: Locator): Promise<string[]> =>
  all.evaluateAll((elements) =>
    elements
      .filter((element) => getComputedStyle(element).display !== 'none')
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { left, right } = range.getBoundingClientRect();
        const box = element.getBoundingClientRect();
        return left < box.left - 0.5 || right > box.right + 0.5;
      })
      .map((element) => element.textContent ?? ''),
  );

describeInBrowser('a large site', (browser) => {
  let page: Page;
  let open: (search: string) => Promise<void>;
  readSitePages(browser, 'large.example', ({ server, site, page: its }) => {
    page = its;
    open = (search) => signInAt(page, `${server.url}/console/${search}`, site);
  });

  it.each([320, 390, 1440])('has each figure of its tables in its column, at %i pixels', async (width) => {
    await enlarge(page, '**/api/v2/analytics/**');
    await page.setViewportSize({ width, height: 900 });
    await open('');
    const figures = page.locator('.panel td');
    await until('millions are shown', async () => (await figures.allInnerTexts()).some((text) => text.length > 9));
    expect(await spilled(figures)).toEqual([]);
    expect(await spilled(page.locator('.totals li'))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it.each([390, 1440])('has the totals of lists of a row at one height, at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await open('?view=lists');
    // The rate has its interval below it, and where there is no room beside it between the two.
    const heights = await page
      .locator('.totals.brought li:nth-child(4n), .totals.brought li:nth-child(4n - 1)')
      .evaluateAll((all) => all.map((one) => one.querySelector('strong')!.getBoundingClientRect().top));
    expect(heights.map(Math.round)).toEqual(
      [heights[0], heights[0], heights[2], heights[2]].map((top) => Math.round(top!)),
    );
  });

  it('says what is at each place of a curve within a narrow window', async () => {
    await page.setViewportSize({ width: 320, height: 900 });
    await enlarge(page, '**/api/v2/analytics/series*');
    await open('?period=yesterday');
    const slider = page.getByRole('slider');
    await slider.press('Home');
    const places = Number(await slider.getAttribute('aria-valuemax')) + 1;
    for (let place = 0; place < places; place++) {
      const { x, width } = (await page.locator('.tip').boundingBox())!;
      expect([place, x >= 0, x + width <= 320]).toEqual([place, true, true]);
      await slider.press('ArrowRight');
    }
    expect(places).toBeGreaterThan(20);
  });

  it.each([
    [1920, 1080],
    [390, 844],
  ])('keeps readers of a post beside its title on a wall, at %i by %i pixels', async (width, height) => {
    await page.route('**/api/v2/analytics/now*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: [{ posts: object[] }] };
      const posts = body.data[0].posts.map((post) => ({ ...post, visitors: 12_345 }));
      await route.fulfill({ response: answer, json: { ...body, data: [{ ...body.data[0], posts }] } });
    });
    await page.setViewportSize({ width, height });
    await open('');
    await settled(page);
    await page.goto(page.url().replace(/\/console\/.*/, '/console/?view=wall'));
    const rows = page.locator('.read li[data-key]');
    await rows.first().waitFor();
    const gaps = await rows.evaluateAll((all) =>
      all.map((row) => {
        const range = document.createRange();
        range.selectNodeContents(row.querySelector('strong')!);
        return row.querySelector('.title')!.getBoundingClientRect().left - range.getBoundingClientRect().right;
      }),
    );
    for (const gap of gaps) expect(gap).toBeGreaterThan(2);
    expect(await rows.first().innerText()).toMatch(/^12,345/);
  });

  it.each([
    [1920, 1080],
    [1440, 900],
    [2560, 1080],
  ])('has the labels and rows of a wall beside each other, and whole, at %i by %i pixels', async (width, height) => {
    await page.route('**/api/v2/analytics/now*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: [{ posts: object[]; today: object[] }] };
      const [record] = body.data;
      const posts = Array.from({ length: 8 }, (_, n) => ({ ...record.posts[0], url: `https://a.example/${n}` }));
      const today = record.today.map((quarter) => ({ ...quarter, views: 450 }));
      await route.fulfill({ response: answer, json: { ...body, data: [{ ...record, posts, today }] } });
    });
    await page.setViewportSize({ width, height });
    await open('');
    await settled(page);
    await page.goto(page.url().replace(/\/console\/.*/, '/console/?view=wall'));
    await page.locator('.day svg text').first().waitFor();
    const found = await page.evaluate(() => {
      const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const [day, read] = [boxOf('.day'), boxOf('.read')];
      const texts = [...document.querySelectorAll('.day svg text')].map((text) => ({
        says: text.textContent,
        box: text.getBoundingClientRect(),
      }));
      return {
        labels: texts.length,
        cut: texts.filter(({ box }) => box.left < day.left || box.right > day.right).map(({ says }) => says),
        met: texts.flatMap(({ says, box }, index) =>
          texts
            .slice(index + 1)
            .filter(
              ({ box: { left, right, top, bottom } }) =>
                left < box.right && box.left < right && top < box.bottom && box.top < bottom,
            )
            .map((other) => `${says} and ${other.says}`),
        ),
        below: [...document.querySelectorAll('.read li')].filter(
          (row) => row.getBoundingClientRect().bottom > read.bottom + 1,
        ).length,
      };
    });
    expect(found).toEqual({ labels: expect.any(Number), cut: [], met: [], below: 0 });
    expect(found.labels).toBeGreaterThan(6);
  });

  it.each([
    [1920, 1080],
    [1440, 900],
  ])('has the whole of a usual title on a wall, at %i by %i pixels', async (width, height) => {
    const title = 'Rapid implementation of policy as code by the States';
    await page.route('**/api/v2/analytics/now*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: [{ posts: object[] }] };
      const [record] = body.data;
      const posts = ['steady', 'gaining', 'losing'].map((trend, n) => {
        return { ...record.posts[0], url: `https://a.example/${n}`, title, trend, visitors: 42 };
      });
      await route.fulfill({ response: answer, json: { ...body, data: [{ ...record, posts }] } });
    });
    await page.setViewportSize({ width, height });
    await open('');
    await settled(page);
    await page.goto(page.url().replace(/\/console\/.*/, '/console/?view=wall'));
    const titles = page.locator('.read .title');
    await titles.first().waitFor();
    // Letters may reach below their line; a line that is cut off is a third more.
    const cut = await titles.evaluateAll(
      (all) => all.filter((one) => one.scrollHeight > one.clientHeight * 1.2).length,
    );
    expect(cut).toBe(0);
    const rows = page.locator('.read li');
    expect(await spilled(rows)).toEqual([]);
    const below = await rows.evaluateAll((all) =>
      all.filter((row) => {
        const { bottom } = row.getBoundingClientRect();
        return [...row.children].some((part) => part.getBoundingClientRect().bottom > bottom);
      }),
    );
    expect(below).toEqual([]);
  });

  it('has each CSV at the right of its heading on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    await open('');
    await settled(page);
    const heads = await page.locator('.panel > header:has(> .plain)').evaluateAll((all) =>
      all.map((head) => {
        const [own, button] = [head, head.querySelector('.plain')!].map((one) => one.getBoundingClientRect());
        return [head.textContent, own!.right - button!.right < 12] as const;
      }),
    );
    expect(heads.length).toBeGreaterThan(4);
    expect(heads.filter(([, isAtRight]) => !isAtRight)).toEqual([]);
  });
});
