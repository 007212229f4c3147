// A hostile page in a browser, and what holds on it: nothing foreign runs or is asked, the page is as it was, and its list is there, or
// what the publisher put in its place.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type HostilePage, SLOT } from '../browser/hostilePages.ts';
import { openStage, type Stage } from './stage.ts';
import { until } from './until.ts';

export interface HostileStage {
  stage: Stage;
  /** The page's HTML. */
  write(hostile: HostilePage): string;
  /** Shows a page in a context of its own. @throws where something does not hold. */
  judge(
    hostile: HostilePage,
    html?: string,
    meddle?: (page: Page, url: string) => Promise<Page | Frame>,
  ): Promise<void>;
  close(): Promise<void>;
}

/** A host that is neither the publisher's nor ours. What is taken from it, but for the picture a page shows itself, is written down. */
async function openForeignHost(): Promise<{ origin: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (!request.url!.endsWith('/x.png')) asked.push(request.url!);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Content-Type', 'text/javascript').end('window.foreign = (window.foreign || 0) + 1;');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

export async function openHostileStage(browser: Browser): Promise<HostileStage> {
  const [stage, foreign] = await Promise.all([openStage(), openForeignHost()]);
  const hashes = (await (await fetch(`${stage.host}/integrity.json`)).json()) as Record<string, string>;
  const [pinned, integrity] = Object.entries(hashes)[0]!;
  let pages = 0;

  function write({
    before = '',
    after = '',
    slot = SLOT,
    attributes = '',
    file = 'afterword.js',
  }: HostilePage): string {
    const src = file === 'pinned' ? `${pinned}" integrity="${integrity}" crossorigin="anonymous` : file;
    const tag = `<script src="HOST/${src}" data-site="example.com" ${attributes}></script>`;
    const head = '<meta charset="utf-8" /><title>Page</title><link rel="icon" href="data:," />';
    const body = `${before}<p id="unharmed">Text</p>${tag}${slot}${after}<script>window.ownScript = 'ran'</script>`;
    return `<!DOCTYPE html><html lang="en" xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>${body}</body></html>`;
  }

  return {
    stage,
    write,
    async judge(hostile, html = write(hostile), meddle = async (page) => page) {
      const context = await browser.newContext({ viewport: { width: 800, height: 3000 } });
      try {
        const path = `/hostile-${pages++}`;
        const url = stage.page(
          path,
          html.replaceAll('EVIL', foreign.origin + path).replaceAll('HOST', stage.host),
          hostile.headers,
        );
        const page = await context.newPage();
        await page.addInitScript(() => {
          for (const type of ['empty', 'error'])
            addEventListener(`afterword:${type}`, () => Reflect.set(window, 'rests', type));
        });
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.goto(url);
        await holds(await meddle(page, url), hostile);
        // By pictures where the page wants no connections.
        const pictured = () =>
          stage.calls.map(({ path: door, query }) => (door === '/plogger/' ? query.get('url')! : ''));
        const reported = () => stage.events().map(({ action, url: at }) => (action === 'pageview' ? at : ''));
        const isCounted = () => [...reported(), ...pictured()].some((at) => at.includes(path));
        if (hostile.counts !== false) await until('the view is counted', isCounted);
        expect(errors, 'errors on the page').toEqual([]);
        const asked = foreign.asked.filter((address) => address.startsWith(`${path}/`));
        expect(asked, 'asked of the foreign host').toEqual([]);
      } finally {
        await context.close();
      }
    },
    async close() {
      foreign.server.closeAllConnections();
      await Promise.all([stage.close(), new Promise((resolve) => foreign.server.close(resolve))]);
    },
  };
}

/** By the document's own way, as the page may have named an element after it. */
function look(): { list: boolean; fallback: boolean; height: number; page: unknown } {
  const find = Object.getPrototypeOf(document).querySelector as typeof document.querySelector;
  const slot = find.call(document, '.slot') as HTMLElement;
  const links = slot.shadowRoot?.querySelectorAll('a').length ?? 0;
  const isOwnSeen = slot.querySelector('.own')!.checkVisibility();
  return {
    list: links > 0 && !isOwnSeen,
    // Room in the window is kept for a list that comes to nothing, as the page would move; not where none could ever come.
    fallback: links === 0 && isOwnSeen && (slot.style.minHeight === '' || Reflect.has(window, 'rests')),
    height: slot.offsetHeight,
    page: {
      foreign: Reflect.get(window, 'foreign'),
      own: Reflect.get(window, 'ownScript'),
      text: find.call(document, '#unharmed')?.textContent,
      // Names as minifiers give them.
      globals: Object.keys(window).filter((name) => /^\D.?$/.test(name)),
    },
  };
}

async function holds(frame: Page | Frame, { shows = 'list' }: HostilePage): Promise<void> {
  const seen = await until(
    `the slot shows ${shows === 'either' ? 'a list or its own children' : `the ${shows}`}`,
    async () => {
      const state = await frame.evaluate(look);
      return (shows !== 'fallback' && state.list) || (shows !== 'list' && state.fallback) ? state : undefined;
    },
  );
  expect(seen.height, 'no room for more than a list').toBeLessThan(20_000);
  expect(seen.page).toEqual({ foreign: undefined, own: 'ran', text: 'Text', globals: [] });
}
