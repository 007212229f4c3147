// What the guides are tried on: a server with a site, its posts and their readers, and the publisher's pages on an origin of their own.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { IncomingEvent } from '../../../server/contract/wire.ts';
import { type ArchiveFile, openArchiveSite } from '../../crawl/archiveSite.ts';
import { BROWSER } from '../../support/beacons.ts';
import { shortenPauses } from '../../support/browser.ts';
import { getJson } from '../../support/http.ts';
import { addSite, allStored, startServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const POSTS = 16;
const TOPICS = ['bread', 'rye'];

/** A page that is open, and what it asked the server for. */
export interface Opened {
  page: Page;
  /** Addresses of lists it asked for. */
  asked: URL[];
  /** Events it sent. */
  events: IncomingEvent[];
  /** Errors of its scripts and lines of its console that are errors. */
  complaints: string[];
}

export interface Open extends BrowserContextOptions {
  /** Runs in the page before anything else. */
  init?: () => void;
}

export interface GuideStage {
  server: TestServer;
  /** Of the publisher's pages. */
  origin: string;
  /** Files of the publisher's site, by path. */
  files: Map<string, ArchiveFile>;
  /** A text of a guide with addresses on this machine. */
  here(text: string): string;
  /** Publishes HTML on a page of its own, with the address it has as canonical link unless it names one, and opens it. */
  open(html: string, options?: Open): Promise<Opened>;
  close(): Promise<void>;
}

/** Opens pages of the guides in tests; each is closed after its test. */
export interface GuidePages {
  stage(): GuideStage;
  /** Address of a post of the site. */
  post(number: number): string;
  /** A page with the canonical address of post 0; what a guide says goes into its head and its body. */
  open(parts: { head?: string; body?: string }, options?: Open): Promise<Opened>;
  /** A page of which nothing is changed. */
  show(html: string, options?: Open): Promise<Opened>;
}

export async function openGuideStage(browser: () => Browser): Promise<GuideStage> {
  const web = await openArchiveSite();
  const origin = web.origins[0]!;
  const server = await startServer();
  const site = await addSite(server, 'example.com', '--domain', new URL(origin).host);
  const urls = Array.from({ length: POSTS }, (_, number) => `${origin}/post-${number}`);
  const who = { apikey: site.apikey, secret: site.write_secret };
  const send = (metadata: object) => postJson(`${server.url}/v2/metadata/posts`, { ...who, metadata });
  await Promise.all(urls.map((url, number) => send(toPost(url, number))));
  const events = urls.map((url) => ({ idsite: site.apikey, action: 'pageview', url }));
  await postJson(`${server.url}/events`, { events });
  await allStored(server);
  await until('posts are read most', async () => {
    const { data } = await getJson(server, '/v2/top/posts', { apikey: site.apikey, limit: '10' });
    return (data as unknown[]).length === 10;
  });
  let pages = 0;
  return {
    server,
    origin,
    files: web.files,
    here: (text) => text.replaceAll('https://stats.example.com', server.url).replaceAll('https://example.com', origin),
    async open(html, { init, ...options } = {}) {
      const path = `/page-${pages++}`;
      web.files.set(path, { body: html });
      const context = await browser().newContext({ viewport: { width: 1000, height: 1600 }, ...options });
      await context.addInitScript(shortenPauses);
      if (init) await context.addInitScript(init);
      const opened: Opened = { page: await context.newPage(), asked: [], events: [], complaints: [] };
      listen(opened, server.url);
      await opened.page.goto(origin + path);
      return opened;
    },
    async close() {
      await server.kill();
      web.close();
    },
  };
}

function toPost(url: string, number: number): object {
  const topic = TOPICS[number % TOPICS.length]!;
  return {
    canonical_url: url,
    title: `The ${topic} of part ${number}`,
    pub_date_tmsp: new Date(Date.now() - number * 86_400_000).toISOString(),
    section: 'Kitchen',
    authors: ['Ada Quay'],
    tags: [topic],
    full_content: `What ${topic} needs is time, says the baker of part ${number}. `.repeat(10),
  };
}

async function postJson(address: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': BROWSER };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const { success, message } = (await answer.json()) as { success: boolean; message?: string };
  if (!success) throw new Error(`${address}: ${message}`);
}

function listen({ page, asked, events, complaints }: Opened, server: string): void {
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin === server && /^\/v2\/(?:related|top)\b/.test(url.pathname)) asked.push(url);
    if (url.origin === server && url.pathname === '/events') events.push(...JSON.parse(request.postData()!).events);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) complaints.push(line.text());
  });
}

/** Resolves with the titles of the list of a slot, once it has posts. */
export async function titlesOf(page: Page, slot = '[data-afterword]'): Promise<string[]> {
  const links = page.locator(`${slot} a[href]`);
  await links.first().waitFor();
  return links.allTextContents();
}
