// The view of one post, as a newsroom uses it: a real server, a real browser, and the API asked beside it.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { MAX_URL_LENGTH } from '../../server/contract/limits.ts';
import type { GrowthRecord, StoredPostRecord } from '../../server/contract/wire.ts';
import { METRIC_NAMES } from '../../widget/console/choice.ts';
import { inColumn, toFigure, toShare } from '../../widget/console/figures.ts';
import { datesOf, dayIn, paramsOf } from '../../widget/console/periods.ts';
import { axeFindings } from '../support/axe.ts';
import { BROWSER } from '../support/beacons.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import { allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { addReadSite, HOSTILE, openDesktop, readShown, settled, signInAt, ZONE } from './newsroomPage.ts';

interface Row {
  url?: string;
  name: string;
  metrics: Record<string, number>;
  explain?: { score: number };
}
interface Answer {
  data: Row[];
  totals: { metrics: Record<string, number> };
}

const HOST = 'http://localhost:9';
const BREAD = `${HOST}/bread`;
const addressOf = (url: string) => `view=post&post=${encodeURIComponent(url)}`;
const MORE = ['visitors_returning', 'social_interactions'];

describeInBrowser('a post in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    const published = new Date(Date.now() - 1000).toISOString();
    server = await startServer();
    site = await addReadSite(server, 'post.example');
    await postJson(server, '/v2/metadata/posts', {
      ...{ apikey: site.apikey, secret: site.write_secret },
      metadata: { canonical_url: BREAD, pub_date_tmsp: published },
    });
    const events = ['hostile', 'formula'].map((name) => ({
      ...{ idsite: site.apikey, action: 'pageview', url: `${HOST}/${name}`, urlref: BREAD, eid: `on-${name}` },
      data: { parsely_site_uuid: 'goes-on' },
    }));
    const lists = ['constructor', 'related'].map((list, at) => ({
      ...{ idsite: site.apikey, action: 'list', url: `${HOST}/formula`, eid: `list-${at}` },
      lists: [{ list, slot: 'end', layout: 'list', shown: true, seen: [[1, BREAD, 'words']] }],
    }));
    await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': BROWSER },
      body: JSON.stringify({ events: [...events, ...lists] }),
    });
    await allStored(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    errors.length = 0;
    ({ context, page } = await openDesktop(browser(), errors));
  });
  afterEach(() => context.close());

  const keys = () => ({ apikey: site.apikey, secret: site.secret });
  const ask = <T = Answer>(path: string, params: Record<string, string | number> = {}) =>
    getJson<T>(server, path, { ...keys(), ...params });
  const period = () => {
    const today = dayIn(ZONE, Date.now());
    return Object.fromEntries(paramsOf(datesOf('7d', { from: '', to: '' }, today), today));
  };
  const open = (url: string, as: Partial<TestSite> = {}) =>
    signInAt(page, `${server.url}/console/?${addressOf(url)}`, { ...site, ...as });

  it('says of every figure what the API says', async () => {
    await open(BREAD);
    await settled(page);
    const { panels, totals } = await readShown(page);
    const columns = ['views', 'visitors', 'engaged_minutes'];
    const written = (metrics: Record<string, number>, names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, toFigure(metrics[name]!)]));
    for (const name of ['referrers', 'channels', 'campaigns', 'segments']) {
      const { data } = await ask(`/v2/analytics/${name}`, { ...period(), post: BREAD, metrics: columns.join(',') });
      const column = (one: string) => inColumn(data.map(({ metrics }) => metrics[one]!));
      const rows = data.map(({ name: key, metrics }) => ({
        key,
        figures: Object.fromEntries(columns.map((one) => [one, column(one)(metrics[one]!)])),
      }));
      expect([name, panels[name]]).toEqual([name, rows]);
    }
    for (const name of ['previous', 'next']) {
      const { data } = await ask(`/v2/analytics/post/${name}`, { ...period(), url: BREAD });
      expect(panels[name]).toEqual(data.map((row) => ({ key: row.url, figures: written(row.metrics, ['views']) })));
    }
    expect(panels.next!.map(({ key }) => key)).toEqual([`${HOST}/formula`, `${HOST}/hostile`]);
    const series = await ask('/v2/analytics/series', {
      ...{ ...period(), post: BREAD, totals: 1, interval: 'month' },
      metrics: [...METRIC_NAMES, ...MORE, 'recirculation_rate'].join(','),
    });
    expect(totals).toEqual({
      ...written(series.totals.metrics, [...METRIC_NAMES, ...MORE]),
      recirculation_rate: toShare(series.totals.metrics.recirculation_rate!),
      conversions: '0',
    });
    const growth = await ask<{ data: GrowthRecord[] }>('/v2/analytics/post/growth', { url: BREAD });
    const slider = page.getByRole('slider', { name: 'Views since publication, by age' });
    expect(growth.data.length).toBeGreaterThan(0);
    expect(await slider.getAttribute('aria-valuetext')).toContain(`: ${growth.data.at(-1)!.views} views`);
    const related = await ask('/v2/related', { url: BREAD, explain: 1, limit: 10 });
    expect(panels.related!.map(({ key }) => key)).toEqual(related.data.map(({ url }) => url));
    const [stored] = (await ask<{ data: StoredPostRecord[] }>('/v2/metadata/post', { url: BREAD })).data;
    const title = page.getByRole('region', { name: 'Metadata' }).getByRole('row', { name: /^Title/ });
    expect(await title.textContent()).toContain(stored!.stored.title);
    expect(errors).toEqual([]);
  });

  it('names the lists that it was in as the pages name them, whatever that is', async () => {
    await open(BREAD);
    await settled(page);
    const names = await page.locator('.of-lists tbody th').allTextContents();
    expect(names).toContain('Related posts');
    expect(names).toContain('constructor');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of In lists, by page' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\uFEFFOn the page,Seen,Clicks,Click rate,URL\r\n/);
    expect(text).toMatch(/\r\n"'=HYPERLINK[^\r\n]+,http:\/\/localhost:9\/formula\r\n/);
  });

  it('is reached from the table of posts and by searching, by the keyboard alone, and back', async () => {
    await signInAt(page, `${server.url}/console/?referrer=google&section=Food`, site);
    await page
      .getByRole('region', { name: 'Posts' })
      .getByRole('link', { name: 'Of bread', exact: true })
      .press('Enter');
    await page.getByRole('heading', { name: 'Of bread', level: 1 }).waitFor();
    // What is about visits holds here, too.
    expect(new URL(page.url()).search).toBe(`?view=post&post=${encodeURIComponent(BREAD)}&referrer=google`);
    await page.goBack();
    await page.getByRole('region', { name: 'Posts' }).waitFor();
    const field = page.getByRole('combobox');
    await field.focus();
    await page.keyboard.type('bread');
    await page.getByRole('option', { name: /^Of bread/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe('found-posts-0');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Of bread', level: 1 }).waitFor();
    await field.focus();
    await page.keyboard.type('zzzz');
    await page.getByText('No post has all of these words.').waitFor();
  });

  it('is opened by the longest address that a post can have', async () => {
    const url = `${HOST}/${'%E0%A4%95'.repeat(220)}`.padEnd(MAX_URL_LENGTH, 'a');
    await postJson(server, '/v2/metadata/posts', {
      ...{ apikey: site.apikey, secret: site.write_secret },
      metadata: { canonical_url: url, title: 'Of long names' },
    });
    await open(url);
    await page.getByRole('heading', { name: 'Of long names', level: 1 }).waitFor();
    expect(errors).toEqual([]);
  });

  it('is said not to be known where an address is that of no post', async () => {
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Site ID').fill(site.apikey);
    await page.getByLabel('Secret').fill(site.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.totals strong').first().waitFor();
    for (const [post, says] of [
      ['https://elsewhere.example/x', 'No post of this site has the address https://elsewhere.example/x.'],
      ['javascript:alert(1)', 'No post of this site has the address javascript:alert(1).'],
      [HOSTILE, 'No post of this site has the address <img'],
    ] as const) {
      await page.goto(`${server.url}/console/?${addressOf(post)}`);
      await page.getByRole('heading', { name: 'Not known' }).waitFor();
      expect(await page.locator('main').textContent()).toContain(says);
    }
    await page.goto(`${server.url}/console/?view=post`);
    await page.getByRole('heading', { name: 'Which post?' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.title()).toMatch(/ · Afterword$/);
  });

  it('writes a hostile title, tag and address as text: nothing of them runs', async () => {
    await open(`${HOST}/hostile`);
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await settled(page);
    expect(await page.locator('#app script, #app [onload], #app [onerror]').count()).toBe(0);
    expect(await page.title()).toMatch(/ · Afterword$/);
    const links = await page.locator('#app a[target]').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links.filter((href) => !/^https?:\/\//.test(href ?? ''))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is hidden, shown and read again by those who may act, and says what came of it', async () => {
    await open(BREAD);
    await page.getByText('need a session that may act').waitFor();
    expect(await page.getByRole('button', { name: 'Hide' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await open(BREAD, { secret: site.write_secret });
    const views = (said: string) => page.locator('[data-total=views]').getByText(said, { exact: true }).waitFor();
    await views('7');
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('Hidden: lists and figures leave it out').waitFor();
    await page.getByText('This post is hidden').waitFor();
    await views('0');
    expect((await ask<{ data: string[] }>('/v2/exclude/list')).data).toEqual([BREAD]);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('status').getByText('Shown again').waitFor();
    await views('7');
    expect((await ask<{ data: string[] }>('/v2/exclude/list')).data).toEqual([]);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('It could not be read: its host is on a private network.').waitFor();
    // A refusal is said in words.
    await page.route('**/v2/exclude/ignore**', (route) =>
      route.fulfill({ json: { code: 422, success: false, errors: { url: ['There is no room.'] } } }),
    );
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('alert').getByText('There is no room.').waitFor();
  });

  it('is pinned in related lists for a time, and the rule is removed in the view of lists', async () => {
    const related = async () => {
      const { data } = await ask<{ data: { url: string; source: string }[] }>('/v2/related', {
        url: `${HOST}/hostile`,
      });
      return data.map(({ url, source }) => (source === 'editor' ? url : source));
    };
    await open(BREAD, { secret: site.write_secret });
    await page.getByText('Pin it in related lists').click();
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('Pinned to position 1 of related lists until').waitFor();
    expect(await related()).not.toContain(BREAD);
    await page.getByLabel('Until').fill('');
    await page.getByLabel('Position').selectOption('2');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('Pinned to position 2 of related lists').waitFor();
    expect((await related()).indexOf(BREAD)).toBe(1);
    await page.getByRole('link', { name: 'Lists' }).click();
    const rules = page.getByRole('region', { name: 'Rules of editors' });
    await rules.getByText('Pins').waitFor();
    expect(await rules.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Pins .*\/bread to position 2\s+in force\s*Remove/),
    ]);
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    await rules.getByRole('button', { name: 'Remove rule 1 of newsroom' }).click();
    await rules.getByText('No rule yet').waitFor();
    expect(await related()).not.toContain(BREAD);
    expect((await ask<{ data: object[] }>('/v2/rules')).data).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is accessible on a phone and a desktop, in light and dark, and fits them', async () => {
    await open(BREAD, { secret: site.write_secret });
    for (const [width, colorScheme] of [
      [390, 'light'],
      [390, 'dark'],
      [1440, 'light'],
      [1440, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await page.getByRole('slider').first().press('End');
      expect([width, colorScheme, await axeFindings(page)]).toEqual([width, colorScheme, []]);
      await until('it fits', () => page.evaluate((most) => document.documentElement.scrollWidth <= most, width));
    }
  });
});
