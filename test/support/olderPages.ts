// Pages of older installations on a stage whose host is the real application, for tests that look at what arrives and what is stored.
//
//   const older = await openOlderPages(browser());
//   await older.visiting(async (visit) => { const visited = await visit('<script …>'); … });     closes what it opened
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { answerFromRoom } from './answerFromRoom.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { replaceSite } from './replaceSite.ts';
import { openStage, type Stage } from './stage.ts';

export const COOKIE_NAME = '_parsely_visitor';

/** What steps may use in the page. */
const HELPERS = `<script>
window.thrown = 0;
addEventListener('error', function () { thrown++; });
function later() { return new Promise(function (resolve) { setTimeout(resolve, 30); }); }
async function until(ask) { while (!ask()) await later(); }
</script>`;

/** Resolves in the page when the reader's id is known; without `p.js`, when the tag's own part is here. */
const READY = 'window.PARSELY ? PARSELY.loaded : window.afterword && Object.hasOwn(afterword, "push")';

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Address of the page; it ends in a slash. */
  url: string;
  /** What was thrown in the page. */
  errors: string[];
  /** Events about this page and those below it, oldest first. */
  events(): IncomingEvent[];
  /** Ids under which a profile has learned of this page. */
  trained(): (string | null)[];
  /** Values of the reader's cookies. */
  cookies(): Promise<string[]>;
  reload(): Promise<void>;
  /** Runs steps in the page, and sends at once what is reported. */
  act(steps?: string): Promise<void>;
}

/** Opens a page in a folder of its own. Resolves when the reader's id is known. */
export type Open = (body: string, prepare?: (context: BrowserContext) => unknown) => Promise<Visit>;

export interface OlderPages {
  stage: Stage;
  room: Newsroom;
  visiting(test: (visit: Open) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openOlderPages(browser: Browser): Promise<OlderPages> {
  const stage = await openStage();
  const room = await openNewsroom({ now: Date.now(), id: 'example.com' });
  await replaceSite(room.deps.sites, { ...room.site, domains: ['127.0.0.1'] });
  answerFromRoom(stage, room);
  let folders = 0;
  return {
    stage,
    room,
    async visiting(test) {
      const contexts: BrowserContext[] = [];
      try {
        await test(async (body, prepare) => {
          const context = await browser.newContext();
          contexts.push(context);
          await prepare?.(context);
          return open(stage, context, { body, path: `/${folders++}` });
        });
      } finally {
        for (const context of contexts) await context.close();
      }
    },
    async close() {
      await stage.close();
      await room.close();
    },
  };
}

async function open(stage: Stage, context: BrowserContext, shown: { body: string; path: string }): Promise<Visit> {
  const { body, path } = shown;
  const fill = (text: string): string => text.replaceAll('{host}', stage.host).replaceAll('{path}', stage.site + path);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const html = `<!doctype html><html lang="en"><head><title>Old</title><link rel="icon" href="data:,">${HELPERS}</head><body>${body}</body></html>`;
  const url = stage.page(`${path}/`, fill(html));
  // The page's own functions run in tasks after the id is known.
  const ready = async () => {
    await page.waitForFunction(READY);
    await page.evaluate('later()');
  };
  await page.goto(url);
  await ready();
  return {
    context,
    page,
    url,
    errors,
    events: () => stage.events().filter((event) => event.url.startsWith(url)),
    trained() {
      const asked = stage.calls.filter((call) => call.path === '/v2/profile' && call.query.get('url') === url);
      return asked.map(({ query }) => query.get('uuid'));
    },
    async cookies() {
      // Browsers set cookies asynchronously: a read in the page comes after all that were set there.
      await page.evaluate('document.cookie');
      const all = await context.cookies();
      return all.filter(({ name }) => name === COOKIE_NAME).map(({ value }) => value);
    },
    async reload() {
      await page.reload();
      await ready();
    },
    async act(steps = '') {
      await page.evaluate(`(async () => { ${fill(steps)} })()`);
      await page.evaluate(`later().then(() => void dispatchEvent(new Event('visibilitychange')))`);
    },
  };
}
