// The view that says whether a tag works, in a real browser: every figure is the API's, and an address is text.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContentAuditRecord } from '../../server/contract/contentAudit.ts';
import type { SetUpRecord } from '../../server/contract/setUp.ts';
import { DAY } from '../../server/durations.ts';
import { toFigure } from '../../widget/console/figures.ts';
import { axeFindings } from '../support/axe.ts';
import { BROWSER } from '../support/beacons.ts';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openDesktop } from './newsroomPage.ts';

const HOST = 'localhost:9';
const HOSTILE = `http://${HOST}/<img src=x onerror=document.title='ran'>`;

describeInBrowser('set-up', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    site = await addSite(server, 'setup.example', '--domain', HOST);
    ({ context, page } = await openDesktop(browser(), errors));
    await page.goto(`${server.url}/console/?view=setup`);
    // Whether somebody is signed in is asked first, and refused.
    await page.getByLabel('Site ID').fill(site.apikey);
    errors.length = 0;
    await page.getByLabel('Secret').fill(site.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.verdict').waitFor();
  });
  afterAll(async () => {
    await context?.close();
    await server?.stop();
  });

  const send = async (events: object[], agent = BROWSER) => {
    const body = JSON.stringify({ events: events.map((event) => ({ idsite: site.apikey, ...event })) });
    const answer = await fetch(`${server.url}/events`, { method: 'POST', headers: { 'User-Agent': agent }, body });
    expect(answer.ok).toBe(true);
  };
  const api = async () =>
    (
      await getJson<{ data: [SetUpRecord] }>(server, '/v2/analytics/setup', {
        apikey: site.apikey,
        secret: site.secret,
      })
    ).data[0];
  const shown = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.set-up tbody tr')].map((row) => [
        row.getAttribute('data-key'),
        row.querySelector('[data-value]')?.textContent,
      ]),
    );

  const focused = () => page.evaluate(() => document.activeElement?.textContent);

  it('says that nothing came, and gives the lines to paste', async () => {
    expect(await page.locator('.verdict').innerText()).toContain('Nothing has come from your site');
    expect(await page.locator('.snippet code').first().innerText()).toBe(
      `<script async src="${server.url}/afterword.js" data-site="${site.apikey}"></script>`,
    );
    expect(await page.getByRole('link', { name: 'preview' }).getAttribute('href')).toBe(
      '../preview?site=setup.example',
    );
    expect(await axeFindings(page)).toEqual([]);
  });

  it('shows by itself what comes in and what is not stored, as the API counts it', async () => {
    const about = { data: { parsely_site_uuid: 'r' } };
    await send([
      { action: 'pageview', url: HOSTILE, eid: 'v', ...about },
      { action: 'heartbeat', url: HOSTILE, inc: 5, eid: 'h', ...about },
      { action: 'pageview', url: 'https://staging.example/a', eid: 'f', ...about },
    ]);
    await send([{ action: 'pageview', url: `http://${HOST}/a`, eid: 'b' }], 'Googlebot/2.1');
    await until('all is stored', async () => (await api()).events[1]!.count === 1);
    await until('the view has updated itself', async () => (await page.locator('.verdict.works').count()) === 1);
    const { events, drops } = await api();
    expect(drops.map(({ reason }) => reason).sort()).toEqual(['bot', 'foreign-host']);
    expect(await shown()).toEqual([
      ...events.map(({ kind, count }) => [kind, toFigure(count)]),
      ...drops.map(({ reason, count }) => [reason, toFigure(count)]),
    ]);
    expect(await page.locator('[data-key=foreign-host]').innerText()).toContain(
      'afterword site change setup.example --domain staging.example',
    );
    expect(events[0]!.last!.url).toContain('onerror');
    expect(await page.locator('[data-key=views] .where bdi').innerText()).toBe(events[0]!.last!.url);
    expect(await page.title()).toMatch(/ · Afterword$/);
  });

  it('leaves the day out beside a time of today, whatever the clock of the browser shows', async () => {
    const later = await context.newPage();
    await later.clock.setFixedTime(Date.now() + 2 * DAY);
    await later.goto(page.url());
    const last = later.locator('[data-key=views] td').last();
    await last.waitFor();
    expect(await last.innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
    await later.close();
  });

  it('names posts that need care, as the API counts them, with what to do', async () => {
    const { apikey, secret, write_secret } = site;
    const title = `<img src=x onerror="document.title='ran'">`;
    for (const name of ['care', 'more'])
      await postJson(server, '/v2/metadata/posts', {
        ...{ apikey, secret: write_secret },
        metadata: {
          canonical_url: `http://${HOST}/${name}`,
          title,
          page_type: 'post',
          pub_date_tmsp: '2026-01-02T09:00:00Z',
        },
      });
    const audit = async () =>
      (await getJson<{ data: [ContentAuditRecord] }>(server, '/v2/analytics/setup/posts', { apikey, secret })).data[0];
    // The pages that were viewed are on this machine, where the crawler may not read.
    await until('all are known', async () => {
      const { posts, crawl_failures } = await audit();
      return posts === 2 && crawl_failures.some(({ failure }) => failure === 'private-address');
    });
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.locator('.faults [data-key=private-address]').waitFor();
    const { lacking, orphans, crawl_failures } = await audit();
    const counts = await page.evaluate(() =>
      [...document.querySelectorAll('.faults details')].map((fault) => [
        fault.getAttribute('data-key'),
        fault.querySelector('[data-value]')?.textContent,
      ]),
    );
    expect(counts).toEqual([
      ...lacking.filter(({ count }) => count > 0).map(({ field, count }) => [field, toFigure(count)]),
      ['orphans', toFigure(orphans.count)],
      ...crawl_failures.map(({ failure, count }) => [failure, toFigure(count)]),
    ]);
    const picture = page.locator('.faults [data-key=image_url]');
    await picture.locator('summary').press('Enter');
    expect(await picture.locator('li bdi').allInnerTexts()).toEqual([title, title]);
    await page.locator('.faults [data-key=private-address] summary').click();
    expect(await page.locator('.faults [data-key=private-address]').innerText()).toContain('--allow-private-crawl');
    expect(await page.getByRole('button', { name: 'Read again' }).count()).toBe(0);
  });

  it('has a page read again for who may act', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Site ID').fill(site.apikey);
    await page.getByLabel('Secret').fill(site.write_secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const pages = page.locator('.faults [data-key=private-address]');
    await pages.locator('summary').click();
    const away = { code: 503, message: 'Service Unavailable: The database does not answer.', success: false };
    await page.route('**/api/v2/crawl*', (route) => route.fulfill({ json: away }), { times: 1 });
    const button = pages.getByRole('button', { name: 'Read again' }).first();
    await button.click();
    expect(await pages.getByRole('alert').innerText()).toBe(away.message);
    // What failed may be tried again.
    await button.click();
    await pages.getByText('Asked for: it is read next.').waitFor();
    expect(await pages.getByRole('alert').count()).toBe(0);
    expect(await focused()).toBe('Asked for: it is read next.');
    expect(await page.title()).toMatch(/ · Afterword$/);
  });

  it('keeps the keyboard on the button that has a page checked', async () => {
    const check = page.getByRole('region', { name: 'Check your page' });
    await check.getByLabel('Address of an article').fill(`http://${HOST}/care`);
    await check.getByRole('button', { name: 'Check' }).press('Enter');
    await check.getByRole('listitem').first().waitFor();
    expect(await focused()).toBe('Check');
  });

  it('is accessible on a desktop and a phone, in light and dark, and fits them', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 1000 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, await axeFindings(page)]).toEqual([width, colorScheme, []]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(errors).toEqual([]);
  });
});
