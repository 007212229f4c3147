// The console's view of lists as a newsroom uses it: every figure beside the API's, experiments started and ended, the
// dial moved and saved. One page is walked.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inColumn, toFigure, toRate } from '../../widget/console/figures.ts';
import { LIST_METRIC_NAMES } from '../../widget/console/lists/listChoice.ts';
import { datesOf, dayIn } from '../../widget/console/periods.ts';
import { axeFindings } from '../support/axe.ts';
import { BROWSER } from '../support/beacons.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { addReadSite, HOSTILE, openDesktop, settled, signInAt, tabTo, ZONE } from './newsroomPage.ts';

type Figures = Record<string, number>;

const HOST = 'localhost:9';
const SLOT = '<img src=x onerror=alert(1)>';

/** Lists in which some readers saw three posts, and some of these clicked one. */
async function showLists(server: TestServer, { apikey }: TestSite): Promise<void> {
  const about = (reader: number) => ({
    idsite: apikey,
    url: `http://${HOST}/bread`,
    data: { parsely_site_uuid: `listed-${reader}` },
  });
  const reports = Array.from({ length: 24 }, (_, reader) => ({
    ...about(reader),
    action: 'list',
    eid: `list-${reader}`,
    lists: [
      {
        list: reader % 3 === 0 ? 'top' : 'related',
        slot: reader % 5 === 0 ? SLOT : 'end',
        layout: reader % 2 === 0 ? 'grid' : 'list',
        experiment: reader % 4 === 0 ? 'grid-or-list' : '',
        variant: reader % 4 === 0 ? 'grid' : '',
        shown: true,
        seen: ['formula', 'hostile', 'bread'].map((post, at) => [at + 1, `/${post}`, at === 0 ? 'words' : 'readers']),
        clicked: reader % 3 === 1 ? [[1, `http://${HOST}/formula`, 'words']] : [],
      },
    ],
  }));
  const clicked = reports.filter((_, reader) => reader % 3 === 1);
  const followed = clicked.flatMap(({ idsite, data }, at) => {
    const opened = { idsite, data, url: `http://${HOST}/formula` };
    return [
      { ...opened, action: 'pageview', eid: `opened-${at}` },
      { ...opened, action: 'heartbeat', inc: 20, eid: `opened-read-${at}` },
    ];
  });
  for (const events of [reports, followed]) {
    const body = JSON.stringify({ events });
    const answer = await fetch(`${server.url}/events`, { method: 'POST', headers: { 'User-Agent': BROWSER }, body });
    if (!answer.ok) throw new Error(await answer.text());
    await allStored(server);
  }
}

describeInBrowser('the view of lists', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    site = await addReadSite(server, 'lists.example');
    await showLists(server, site);
    ({ context, page } = await openDesktop(browser(), errors));
    await signInAt(page, `${server.url}/console/?view=lists`, { ...site, secret: site.write_secret });
  });
  afterAll(async () => {
    await context.close();
    await server.stop();
  });

  const ask = <T>(path: string, params: object) =>
    getJson<T>(server, `/v2/${path}`, { apikey: site.apikey, secret: site.secret, ...params });
  const write = (name: string, value = 0, figure = toFigure) =>
    ['click_rate', 'recirculation'].includes(name) ? toRate(value) : figure(value);

  /** Every figure of the page beside the API's. @param filters In the address. */
  async function expectTruth(filters: Record<string, string> = {}): Promise<Figures> {
    await settled(page);
    const [{ from }] = [datesOf('7d', { from: '', to: '' }, dayIn(ZONE, Date.now()))];
    const scope = { period_start: from, ...filters };
    for (const group of ['list', 'slot', 'position', 'source', 'layout', 'variant', 'page', 'post']) {
      const { data } = await ask<{ data: { name: string; metrics: Figures }[] }>('lists', { group, ...scope });
      const names = ['clicks', 'click_rate', 'seen', 'views_caused', 'engaged_minutes'];
      const column = (one: string) => inColumn(data.map(({ metrics }) => metrics[one] ?? 0));
      const figures = (metrics: Figures) => names.map((one) => write(one, metrics[one], column(one)));
      const expected = data.map(({ name, metrics }) => [name, ...figures(metrics)]);
      const shown = await page
        .locator(`.by.${group} tbody tr`)
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.getAttribute('data-key') ?? '',
            ...[...row.querySelectorAll('[data-metric]')].map((one) => one.textContent ?? ''),
          ]),
        );
      expect([group, shown]).toEqual([group, expected]);
    }
    const names = LIST_METRIC_NAMES.filter((name) => name !== 'lists' || !('position' in filters));
    const { totals } = await ask<{ totals: { metrics: Figures } }>('analytics/series', {
      metrics: names.join(','),
      totals: 1,
      ...scope,
    });
    const shown = await page
      .locator('[data-total]')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('data-total') ?? '', one.textContent ?? '']));
    expect(shown).toEqual(names.map((name) => [name, write(name, totals.metrics[name])]));
    return totals.metrics;
  }

  it('shows in every table and total what the API answers, whatever everything is filtered by', async () => {
    const totals = await expectTruth();
    expect(totals).toMatchObject({ lists: 24, seen: 72, clicks: 8, views_caused: 8, quality_clicks: 8 });
    const filters: Record<string, string> = {};
    for (const [group, name, more] of [
      ['Slots', SLOT, { slot: SLOT }],
      ['Kinds of lists', 'Related posts', { list: 'related' }],
      ['Positions', 'Position 1', { position: '1' }],
    ] as const) {
      const cell = page.getByRole('region', { name: group }).getByRole('button', { name, exact: true });
      await cell.click();
      await settled(page);
      Object.assign(filters, more);
    }
    await expectTruth(filters);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject(filters);
    const chips = page.getByRole('list', { name: 'Filters of lists' });
    await chips.getByRole('button', { name: 'Position 1 , take away', exact: true }).waitFor();
    for (const _ of Object.keys(filters)) await chips.getByRole('button').first().click();
    const rate = page.locator('.brought').getByRole('button', { name: /^Click rate/ });
    await rate.click();
    await expectTruth();
    await page.getByRole('slider', { name: 'Click rate by day' }).press('End');
    expect(await page.getByRole('slider', { name: 'Click rate by day' }).getAttribute('aria-valuetext')).toContain(
      `: ${toRate(8 / 72)}`,
    );
  });

  it('writes hostile names of slots and titles of posts as text', async () => {
    await settled(page);
    const posts = page.getByRole('region', { name: 'Posts in lists' });
    expect(await posts.getByRole('link', { name: HOSTILE, exact: true }).getAttribute('href')).toContain('view=post');
    expect(await page.locator('img, #app script, #app [onerror]').count()).toBe(0);
    expect(await page.title()).toMatch(/ · Afterword$/);
    expect(errors).toEqual([]);
  });

  it('leaves out of files and totals what is not counted: no post has a number of lists', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of Positions' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^\uFEFFPosition,Lists shown,Items seen,.*\r\n1,,24,8,/);
    await page.goto(`${server.url}/console/?view=lists&post=${encodeURIComponent(`http://${HOST}/formula`)}`);
    await settled(page);
    expect(await page.locator('[data-total=seen]').textContent()).toBe('24');
    expect(await page.locator('[data-total=lists]').count()).toBe(0);
    await page.goto(`${server.url}/console/?view=lists`);
  });

  it('starts an experiment by the keyboard, once it has said what would begin, and what is wrong stands at its field', async () => {
    const form = page.getByRole('form', { name: 'New experiment' });
    const experiments = async () => (await ask<{ data: { name: string }[] }>('experiments', { archived: 1 })).data;
    await page.getByRole('button', { name: 'New experiment' }).press('Enter');
    const see = form.getByRole('button', { name: 'See what would begin' });
    await see.press('Enter');
    const name = form.getByLabel('Name').first();
    await until('the name is refused at its field', async () => (await name.getAttribute('aria-invalid')) === 'true');
    expect(await axeFindings(page)).toEqual([]);
    await name.fill('grid-or-list');
    await form.getByLabel('Slot whose list changes').fill('end');
    const share = form.getByLabel('Percent of readers').nth(1);
    await share.fill('60');
    await see.press('Enter');
    await form.getByText('The shares add up to 110').waitFor();
    await share.fill('x');
    await see.press('Enter');
    await form.getByText('Give a whole number of percent').waitFor();
    await share.fill('50');
    await form.getByLabel('Layout').selectOption('grid');
    await see.press('Enter');
    await form.getByText('would begin now').waitFor();
    expect(await experiments()).toEqual([]);
    await form.getByRole('button', { name: 'Start grid-or-list' }).press('Enter');
    const card = page.getByRole('article', { name: 'Experiment grid-or-list' });
    await card.locator('.says').waitFor();
    const [{ result }] = (
      await ask<{ data: [{ result: { says: string[]; readers: number } }] }>('experiments', { name: 'grid-or-list' })
    ).data;
    expect(await card.locator('.says').textContent()).toContain(result.says.join(' '));
    expect(await card.locator('[data-readers]').textContent()).toBe(toFigure(result.readers));
  });

  it('has the focus at each question, and back where it was asked or cancelled', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    expect(await focused()).toBe('New experiment');
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'New experiment' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('New experiment');
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await until('the focus is back', async () => (await focused()) === 'New experiment');
    await tabTo(page, 'Stop grid-or-list');
    await page.keyboard.press('Enter');
    await until('the question has the focus', async () => (await focused()).startsWith('Stop it?'));
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await until('the focus is back', async () => (await focused()) === 'Stop grid-or-list');
  });

  it('stops, archives and restores it, each after a question', async () => {
    const card = page.getByRole('article', { name: 'Experiment grid-or-list' });
    const stateOf = async () =>
      (await ask<{ data: { state: string }[] }>('experiments', { archived: 1 })).data[0]?.state;
    for (const [step, state] of [
      ['Stop', 'stopped'],
      ['Archive', 'archived'],
      ['Restore', 'stopped'],
    ] as const) {
      if (step === 'Archive') await page.getByLabel('Archived ones, too').check();
      await settled(page);
      const before = await stateOf();
      await card.getByRole('button', { name: `${step} grid-or-list` }).press('Enter');
      await card.getByRole('button', { name: 'Cancel' }).waitFor();
      expect(await stateOf()).toBe(before);
      await card.getByRole('button', { name: `${step} grid-or-list` }).press('Enter');
      await card.locator(`.state-of.${state}`).waitFor();
      expect(await stateOf()).toBe(state);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(
        /^(Archive|Restore) grid-or-list$/,
      );
    }
  });

  it('shows the list of a post beside the dials, and saves them for the site', async () => {
    const dial = page.getByRole('region', { name: 'The dial' });
    const slider = dial.getByLabel('Freshness');
    await slider.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await dial.getByRole('button', { name: 'Save for the site' }).press('Enter');
    await dial.getByText('The site has freshness 0.15.').waitFor();
    // What was not moved is not set: readers whose visits are known keep their part in the list.
    expect((await ask<{ data: object[] }>('settings', {})).data).toEqual([
      { dials: { mix: null, freshness: 0.15, diversity: null, popularity: null } },
    ]);
    await dial.getByRole('button', { name: 'Back to the defaults' }).press('Enter');
    await dial.getByText('The site has no setting of its own.').waitFor();
    const shown = dial.locator('ol a');
    const post = await dial.getByRole('combobox').inputValue();
    const { data } = await ask<{ data: { url: string }[] }>('related', { url: post, mix: 0 });
    await until('the list is that of the API', async () => (await shown.count()) === data.length);
    expect(await shown.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).toEqual(
      data.map(({ url }) => url),
    );
  });

  it('says what failed, and tries again', async () => {
    await page.route('**/api/v2/lists?group=slot**', (route) => route.abort());
    await page.getByRole('button', { name: '28 days' }).click();
    const slots = page.getByRole('region', { name: 'Slots' });
    await slots.getByText('The server did not answer.').waitFor();
    await page.unroute('**/api/v2/lists?group=slot**');
    await slots.getByRole('button', { name: 'Try again' }).click();
    await slots.getByRole('button', { name: 'end', exact: true }).waitFor();
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is accessible at %i pixels in %s, and fits', async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it('offers no change to who may read, and says what to do where there is nothing', async () => {
    const empty = await addSite(server, 'new.example');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInAt(page, `${server.url}/console/?view=lists`, empty);
    await page.getByText('To start or end one, sign in with the write secret').waitFor();
    await page.getByText('No experiment yet').waitFor();
    await page.getByText('No post was read in 30 days').waitFor();
    expect(await page.getByText('No item of a list was seen.').count()).toBe(8);
    expect(await page.getByRole('button', { name: 'New experiment' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  });
});
