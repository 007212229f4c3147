// A stage whose server refuses events as a test says, with a browser context of its own for each test: storage begins empty.
//
//   const at = refusingStage(browser);
//   at().refuse(status(503));                   from now on; at().taken are the events of requests that were not refused
import type { ServerResponse } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import type { Afterword } from '../../widget/commands.ts';
import { shortenPauses } from './browser.ts';
import { keptEvents } from './keptEvents.ts';
import { articlePage, type Call, openStage, type Stage } from './stage.ts';
import { until } from './until.ts';

/** Answers a request, or leaves it be: then its events are taken. @param sent Requests before this one. */
export type Refusal = (sent: number, response: ServerResponse) => void;

/** Of the page's clock, for each look at what a test waits for. */
const STEP_MS = 250;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 100_000;

export const takeAll: Refusal = () => undefined;
/** Refuses the first requests, or all. */
export const status =
  (code: number, times = Number.POSITIVE_INFINITY, headers: Record<string, string> = {}): Refusal =>
  (sent, response) => {
    if (sent < times) response.writeHead(code, headers).end();
  };

export interface RefusingStage {
  stage: Stage;
  context: BrowserContext;
  page: Page;
  /** Events taken since `refuse`. */
  taken: IncomingEvent[];
  refuse(refusal: Refusal): void;
  /** From now on the page's clock goes as fast as what is waited for is asked: pauses of seconds are none. To be called before a page is open. */
  hurry(): Promise<void>;
  requests(): Call[];
  /** Resolves with the paths of the views that were taken, in their order, once there are so many. */
  views(count: number): Promise<string[]>;
  /** Resolves when so many requests were made. */
  asked(count: number): Promise<unknown>;
  /** Resolves when storage has so many events. */
  kept(count: number, on?: Page): Promise<unknown>;
  /** Pushes another address. */
  move(path: string): Promise<void>;
  /** Runs a function in the page. It cannot see anything around it. */
  say<Result>(does: (afterword: Afterword) => Result | Promise<Result>): Promise<Result>;
}

/** Pages `/a`, `/b` and `/c` have the script tag. Call it once in a test file, its result inside tests and hooks only. */
export function refusingStage(browser: () => Browser): () => RefusingStage {
  let stage: Stage;
  let at: RefusingStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.reset();
    for (const path of ['/a', '/b', '/c']) stage.page(path, articlePage(stage, '<p>Text</p>'));
    const context = await browser().newContext();
    await context.addInitScript(shortenPauses);
    at = onStage(stage, context, await context.newPage());
  });
  afterEach(() => at.context.close());
  return () => at;
}

function onStage(stage: Stage, context: BrowserContext, page: Page): RefusingStage {
  const requests = () => stage.calls.filter(({ path }) => path === '/events');
  const views = () =>
    at.taken.filter(({ action }) => action === 'pageview').map(({ url }) => url.replace(stage.site, ''));
  let hurries = false;
  const wait: typeof until = (what, ask) => {
    const look = async () => {
      const answer = await ask();
      if (!answer && hurries) await page.clock.runFor(STEP_MS);
      return answer;
    };
    // The page's clock stands still between two looks.
    return until(what, look, PATIENCE_MS, hurries ? LOOK_EVERY_MS : undefined);
  };
  const at: RefusingStage = {
    stage,
    context,
    page,
    taken: [],
    refuse(refusal) {
      at.taken = [];
      let sent = 0;
      stage.answer('/events', ({ body }, response) => {
        refusal(sent++, response);
        if (response.writableEnded) return;
        at.taken.push(...(JSON.parse(body) as { events: IncomingEvent[] }).events);
        response.end('{"success":true}');
      });
    },
    async hurry() {
      await page.clock.install();
      hurries = true;
    },
    requests,
    views: (count) => wait(`${count} views are taken`, () => (new Set(views()).size >= count ? views() : undefined)),
    asked: (count) => wait(`${count} requests were made`, () => requests().length >= count),
    kept: (count, on) =>
      wait(`${count} events are kept`, async () => (await keptEvents(on ?? at.page)).length === count),
    move: (path) => at.page.evaluate((to) => history.pushState(null, '', to), path),
    say: (does) => say(at.page, does),
  };
  return at;
}

function say<Result>(page: Page, does: (afterword: Afterword) => Result | Promise<Result>): Promise<Result> {
  return page.evaluate(
    (text) =>
      new Promise<Result>((resolve, reject) => {
        const call = new Function(`return ${text}`)() as typeof does;
        // The widget's own part may still be on its way.
        window.afterword ??= [];
        (window.afterword as unknown as Afterword).push((a) => {
          Promise.resolve(call(a)).then(resolve, reject);
        });
      }),
    does.toString(),
  );
}
