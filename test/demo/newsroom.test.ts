// The newsroom of the demo, from its sign-in to its assistant, by the keyboard alone: each view has figures, and axe finds
// nothing in any, on a desktop in light and on a phone in dark.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFigure } from '../../widget/console/figures.ts';
import { openDesktop, readShown, settled, tabTo } from '../console/newsroomPage.ts';
import { connectOverHttp, use } from '../support/assistants.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { doneInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { startDemo, type TestDemo } from './startDemo.ts';

const TABLES = ['posts', 'sections', 'authors', 'tags', 'referrers', 'channels', 'campaigns', 'segments', 'devices'];
/** A post whose picture becomes no thumbnail is shown without one. */
const isOfPicture = (text: string): boolean => text.startsWith('Loading the image');
const PATIENCE = { timeout: 100_000 };

const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

interface Listed {
  data: { name: string; metrics: Record<string, number> }[];
}

describeInBrowser('the newsroom of the demo', (browser) => {
  let demo: TestDemo;
  let page: Page;
  /** Title of the post that is read. */
  let title: string;
  const errors: string[] = [];

  beforeAll(async () => {
    await awayFromMidnight();
    demo = await startDemo();
    ({ page } = await openDesktop(browser(), errors));
  });
  afterAll(async () => {
    await page?.context().close();
    await demo?.stop();
    await removeDataDirs();
  });

  const answered = () => page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);

  /** By the bar at the head of the page. */
  async function goTo(view: string, key: 'Tab' | 'Shift+Tab' = 'Shift+Tab'): Promise<void> {
    await tabTo(page, view, key);
    await page.keyboard.press('Enter');
    await page.locator('.views a[aria-current=page]', { hasText: view }).waitFor();
    await page.locator('#figures h1').waitFor();
    await answered();
  }

  async function expectClean(what: string): Promise<void> {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 1000 });
      await page.emulateMedia({ colorScheme });
      expect([what, width, await axeFindings(page)]).toEqual([what, width, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1440, height: 1000 });
  }

  /** What lists and conversions of a post say is what the API answers to the same questions. */
  async function expectSame(asked: readonly URL[]): Promise<void> {
    const answerOf = async (path: string, group = '') => {
      const { search } = asked.find(({ pathname, searchParams: of }) => {
        return pathname === `/console/api${path}` && (of.get('group') ?? '') === group;
      })!;
      const { data } = await getJson<Listed>(demo, path + search, { apikey: demo.site, secret: demo.secret! });
      return data;
    };
    const { panels, totals } = await readShown(page);
    for (const group of ['list', 'page']) {
      const rows = (await answerOf('/v2/lists', group)).map(({ name, metrics: { seen, clicks, click_rate } }) => ({
        key: name,
        figures: { seen: toFigure(seen!), clicks: toFigure(clicks!), click_rate: PERCENT.format(click_rate!) },
      }));
      expect([group, panels[`of-${group}s`]]).toEqual([group, rows]);
    }
    const kinds = await answerOf('/v2/conversions/url');
    const conversions = kinds.reduce((sum, { metrics }) => sum + metrics.conversions!, 0);
    expect(totals.conversions).toBe(toFigure(conversions));
  }

  const rowsOf = (table: string) => page.locator(`.panel.${table} tbody tr`);
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  it('is entered by one click, and shows who reads now', async () => {
    const reader = await page.context().newPage();
    await reader.goto(`${demo.paper}/`);
    // The first one may have been published a minute ago, and stand in no list yet.
    await reader.locator('.front-new .headline a').last().press('Enter');
    await reader.locator('[data-afterword="related"]').scrollIntoViewIfNeeded();
    await reader.locator('[data-afterword="related"] a').first().waitFor();
    title = await reader.locator('h1').innerText();
    await page.goto(`${demo.paper}/_console`);
    await goTo('Now', 'Tab');
    await expect.poll(() => region('Posts').innerText(), PATIENCE).toContain(title);
    await reader.close();
    expect(await page.locator('.figure.visitors').innerText()).toMatch(/^Readers\s+[1-9]/);
    await expectClean('now');
  });

  it('shows what was read in any period, and narrows all of it', async () => {
    await goTo('Traffic');
    for (const table of TABLES) expect([table, await rowsOf(table).count()]).not.toEqual([table, 0]);
    const before = await page.locator('[data-total=views]').innerText();
    const section = await rowsOf('sections').first().getAttribute('data-key');
    await tabTo(page, '28 days');
    await page.keyboard.press('Enter');
    await tabTo(page, section!);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-total=views]').innerText(), PATIENCE).not.toBe(before);
    await answered();
    expect(new URL(page.url()).search).toBe(`?${new URLSearchParams({ period: '28d', section: section! })}`);
    await page.getByRole('slider').first().press('End');
    await expectClean('traffic');
    await page.getByRole('list', { name: 'Filters' }).getByRole('button').press('Enter');
  });

  it('says of a post how it grew, where its readers came from and why its list has what it has', async () => {
    await goTo('Now');
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await tabTo(page, title);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await answered();
    await expectSame(asked);
    for (const table of ['referrers', 'related', 'of-lists', 'of-pages'])
      expect([table, await rowsOf(table).count()]).not.toEqual([table, 0]);
    expect(await page.getByRole('slider', { name: /Views since publication/ }).getAttribute('aria-valuetext')).toMatch(
      /: \d+ views/,
    );
    expect(await region('Metadata').innerText()).toContain(title);
    await expectClean('post');
  });

  it('says what the lists brought, and stops an experiment', async () => {
    await goTo('Lists');
    for (const table of ['list', 'slot', 'position', 'source', 'variant'])
      expect([table, await rowsOf(table).count()]).not.toEqual([table, 0]);
    const running = page.locator('article.experiment.running').first();
    expect(await running.locator('.says').innerText()).toMatch(/ \w+\./);
    const name = await running.locator('h3 bdi').innerText();
    await expectClean('lists');
    await tabTo(page, `Stop ${name}`);
    await page.keyboard.press('Enter');
    await running.getByRole('button', { name: `Stop ${name}` }).press('Enter');
    await page.locator('article.experiment.stopped', { hasText: name }).waitFor();
  });

  it('fits a phone where figures have nine digits and names are long', async () => {
    await page.route('**/console/api/v2/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: enlarged(await response.json()) });
    });
    await page.setViewportSize({ width: 390, height: 1000 });
    for (const view of ['traffic', 'lists']) {
      await page.goto(`${demo.url}/console/?view=${view}`);
      await page.locator('.curve path.now').first().waitFor();
      await settled(page);
      expect(await page.locator('.totals strong').first().innerText()).toMatch(/^\d{3},\d{3},\d{3}$/);
      expect([view, await page.evaluate(overflowing)]).toEqual([view, []]);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await page.setViewportSize({ width: 1440, height: 1000 });
  });

  it('says that the tag works, and what to paste', async () => {
    await goTo('Set-up');
    await expect.poll(() => page.locator('p.verdict').innerText(), PATIENCE).toMatch(/^(Your tag works|Views come in)/);
    expect(await region('What to paste').innerText()).toContain(`data-site="${demo.site}"`);
    await expectClean('set-up');
    expect(errors.filter((text) => !isOfPicture(text))).toEqual([]);
  });

  it('sends a morning page with the figures of the console, and gives an assistant the same', async () => {
    await page.goto(`${demo.url}/console/?view=traffic&period=yesterday`);
    await settled(page);
    const views = await page.locator('[data-total=views]').innerText();
    const first = await rowsOf('posts').first().getAttribute('data-key');
    const printed = await doneInProcess(['digest', demo.site, '--dry-run', '--json', '--data', demo.dataDir]);
    const { day, figures, posts } = JSON.parse(printed);
    expect(figures[0]).toMatchObject({ name: 'views', value: Number(views.replace(',', '')) });
    expect(posts[0].url).toBe(first);
    const keys = { Authorization: `Bearer ${demo.secret}`, 'Afterword-Site': demo.site };
    const client = await connectOverHttp(demo.url, keys);
    const { structuredContent } = await use(client, 'analytics', { of: 'posts', period_start: day, period_end: day });
    await client.close();
    const [given] = structuredContent.answer.data as { url: string; metrics: { views: number } }[];
    expect(given).toMatchObject({ url: first, metrics: { views: posts[0].views } });
  });
});

/** An answer with figures of another size: counts have nine digits, names are sentences. */
function enlarged(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => enlarged(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, enlarged(one, name)]));
  if (typeof value === 'number' && COUNTS.test(key)) return inNineDigits(value);
  return key === 'title'
    ? `${value} and what comes of it where the title of a post has no end that one would see`
    : value;
}

const inNineDigits = (count: number): number =>
  count < 1 ? 0 : Math.round((count / 10 ** Math.floor(Math.log10(count))) * 100_000_000);

const COUNTS = /^(?:views|visitors|engaged_minutes|lists|seen|clicks|quality_clicks|views_caused|minutes_after)$/;

/** Runs in the page. @returns what is wider than its place: the page, totals, labels of the axis. */
function overflowing(): string[] {
  const wide = (one: Element) => one.getBoundingClientRect().right > one.closest('li')!.getBoundingClientRect().right;
  const cut = (one: Element) => one.getBoundingClientRect().left < 0;
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? ['page'] : []),
    ...[...document.querySelectorAll('.totals strong')].filter(wide).map((one) => one.textContent!),
    ...[...document.querySelectorAll('.curve svg text')].filter(cut).map((one) => one.textContent!),
  ];
}
