// A site with readers and hostile texts behind a real server, and what the page of its console shows of them.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { BROWSER } from '../support/beacons.ts';
import { postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Pages are on a port without a listener: a crawler that wants to read them fails without leaving this machine. */
const HOST = 'localhost:9';
export const HOSTILE = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`;
export const FORMULA = '=HYPERLINK("https://evil.example","Prize")';

/** Days of the site begin neither now nor while its tests run. */
export const ZONE = new Date().getUTCHours() < 18 ? 'Europe/Madrid' : 'America/New_York';

const POSTS = [
  { path: 'bread', title: 'Of bread', section: 'Food', authors: ['Ann', 'Bob'], tags: ['wheat', 'ovens'] },
  { path: 'hostile', title: HOSTILE, section: HOSTILE, authors: [HOSTILE], tags: [`"'><svg onload=alert(1)>`] },
  { path: 'formula', title: FORMULA, section: 'Food', authors: ['Bob'], tags: ['javascript:alert(1)'] },
];

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E1 Safari/604.1';
const TABLET = 'Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1 Version/16.6 Mobile/15E1 Safari/604.1';

/** Views of a post by each of some readers, from somewhere, on some device. */
const VISITS = [
  { path: 'bread', readers: 5, from: 'https://www.google.com/', device: BROWSER },
  { path: 'bread', readers: 2, from: '', device: PHONE },
  {
    path: `hostile?utm_campaign=${encodeURIComponent(HOSTILE)}`,
    readers: 3,
    from: 'https://evil.example/<script>',
    device: TABLET,
  },
  { path: 'formula?utm_campaign=spring', readers: 1, from: 'https://t.co/x', device: BROWSER },
];

export async function addReadSite(server: TestServer, id: string): Promise<TestSite> {
  const site = await addSite(server, id, '--domain', HOST, '--timezone', ZONE);
  for (const { path, ...metadata } of POSTS)
    await postJson(server, '/v2/metadata/posts', {
      apikey: site.apikey,
      secret: site.write_secret,
      metadata: { canonical_url: `http://${HOST}/${path}`, ...metadata },
    });
  for (const { path, readers, from, device } of VISITS) {
    const events = Array.from({ length: readers }, (_, reader) => {
      const about = { idsite: site.apikey, url: `http://${HOST}/${path}`, urlref: from };
      const data = { parsely_site_uuid: `reader-${path.length}-${reader}`, segments: ['members'] };
      return [
        { ...about, action: 'pageview', data, eid: `view-${path}-${from}-${reader}` },
        { ...about, action: 'heartbeat', inc: 30 + reader, data, eid: `read-${path}-${from}-${reader}` },
      ];
    }).flat();
    const answer = await fetch(`${server.url}/events`, {
      method: 'POST',
      headers: { 'User-Agent': device },
      body: JSON.stringify({ events }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  await allStored(server);
  return site;
}

/** Views of the bread from so many campaigns, `letter-00` and on: more than a table shows first. */
export async function readCampaigns(server: TestServer, { apikey }: TestSite, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => ({
    idsite: apikey,
    action: 'pageview',
    url: `http://${HOST}/bread?utm_campaign=letter-${String(at).padStart(2, '0')}`,
    urlref: '',
    data: { parsely_site_uuid: `reader-of-letter-${at}` },
  }));
  const body = JSON.stringify({ events });
  const answer = await fetch(`${server.url}/events`, { method: 'POST', headers: { 'User-Agent': BROWSER }, body });
  if (!answer.ok) throw new Error(await answer.text());
  await allStored(server);
}

/** A list of one post that a reader saw on the page of the bread, and clicked. @param list More of it. */
export async function reportList(server: TestServer, { apikey }: TestSite, list: object): Promise<void> {
  const url = `http://${HOST}/bread`;
  const seen = [[1, `http://${HOST}/formula`, 'words']];
  const lists = [{ list: 'related', layout: 'grid', shown: true, seen, clicked: seen, ...list }];
  const event = { idsite: apikey, action: 'list', url, eid: JSON.stringify(list), lists };
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER },
    body: JSON.stringify({ events: [{ ...event, data: { parsely_site_uuid: 'reader-of-a-list' } }] }),
  });
  await allStored(server);
}

/** A proxy that puts a server below a prefix, as publishers do who have one host for many things. */
export async function openPrefixProxy(prefix: string, target: string): Promise<{ url: string; close(): void }> {
  const proxy: Server = createServer((asked, answer) => {
    const { url = '', method, headers } = asked;
    if (!url.startsWith(`${prefix}/`)) return void answer.writeHead(404).end();
    const passed = request(new URL(url.slice(prefix.length), target), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    // The server is being restarted.
    passed.on('error', () => void (answer.headersSent ? answer.destroy() : answer.writeHead(503).end()));
    asked.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/**
 * A page as wide as a desktop.
 * @param errors Receives what its console logs as an error, but for answers of a busy server, which is asked again.
 */
export async function openDesktop(
  browser: Browser,
  errors: string[],
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 503')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return { context, page };
}

/** A server with a site that was read, and a page that is signed in to nothing. */
export interface ReadSite {
  server: TestServer;
  site: TestSite;
  page: Page;
}

/**
 * One server for the tests of a suite, and for each of them a page of its own.
 * @param id Of its site.
 * @param ready Called before each test.
 */
export function readSitePages(browser: () => Browser, id: string, ready: (opened: ReadSite) => void): void {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  beforeAll(async () => {
    server = await startServer();
    site = await addReadSite(server, id);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const opened = await openDesktop(browser(), []);
    context = opened.context;
    ready({ server, site, page: opened.page });
  });
  afterEach(() => context.close());
}

export async function signInAt(page: Page, address: string, { apikey, secret }: TestSite): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Site ID').fill(apikey);
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await settled(page);
}

/** Resolves when no panel waits for its figures. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.totals strong').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);
}

/**
 * Moves the focus by the keyboard to the element with this text, as a reader without a pointer does.
 * @param key What moves it. Default: Tab.
 */
export const tabTo = (page: Page, text: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<boolean> =>
  until(
    `${text} is focused`,
    async () => {
      await page.keyboard.press(key);
      return (await page.evaluate(() => document.activeElement?.textContent ?? '')) === text;
    },
    PATIENCE_MS,
    0,
  );

const PATIENCE_MS = 100_000;

/** All places of a page that scripts read: its address, storage, cookies and elements. */
export const keptIn = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify([
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      document.body.outerHTML,
    ]),
  );

/** At both widths, in light and dark: axe finds nothing, and nothing is wider than the page. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 1000 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([what, width, colorScheme, await axeFindings(page)]).toEqual([what, width, colorScheme, []]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 1000 });
}

export interface Shown {
  /** Panel → its rows: the key of a record, and the text of each figure. */
  panels: Record<string, { key: string; figures: Record<string, string> }[]>;
  totals: Record<string, string>;
}

/** Everything that the page says in figures. */
export const readShown = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const named = (one: Element, name: string) => one.getAttribute(`data-${name}`) ?? '';
    const pairs = (all: Iterable<Element>, name: string) =>
      Object.fromEntries([...all].map((one) => [named(one, name), one.textContent ?? '']));
    const rowsOf = (panel: Element) =>
      [...panel.querySelectorAll('tbody tr')].map((row) => ({
        key: named(row, 'key'),
        figures: pairs(row.querySelectorAll('td'), 'metric'),
      }));
    return {
      panels: Object.fromEntries(
        [...document.querySelectorAll('.panel')].map((panel) => [panel.classList.item(2) ?? '', rowsOf(panel)]),
      ),
      totals: pairs(document.querySelectorAll('[data-total]'), 'total'),
    };
  });
