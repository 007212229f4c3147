// The console in a slowed browser: how long from an input to the next paint, and to the paint of the figures it asks for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { TestSite } from '../../test/support/server.ts';

/** The processor of the page is so many times slower. */
export const SLOWED = 4;

/** Milliseconds. */
export interface Painted {
  /** From the input until what it asked for is painted. */
  all: number;
  /** Until the totals, but for new visitors, and the curve are. */
  curve: number;
  /** Of all, what the page did before its first question and after the last answer. */
  own: number;
}

/** A page of a browser whose processor is slowed, and what counts its inputs. */
export async function openSlowed(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  // What runs benches names the functions inside of others by a helper of its own, which a page has not.
  await page.addInitScript('globalThis.__name ??= (of) => of');
  await page.addInitScript(watchInputs);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  return page;
}

/** Runs in the page. Durations are those of the browser: from the input to the next paint, in steps of 8 ms. */
function watchInputs(): void {
  const seen: number[] = [];
  Object.assign(window, { inputDurations: seen });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) seen.push(entry.duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

/** Interaction to next paint, in milliseconds; what the browser does not report took less than 16. */
export async function interactionOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate('inputDurations.length = 0');
  await act();
  await idle(page);
  return await page.evaluate<number>('Math.max(16, ...inputDurations)');
}

/** Two frames after all tasks that are due: reports of inputs have come. */
const idle = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 100)))),
  );

/** Until no part of the page is busy, and that is painted. */
export async function paintOf(page: Page, act: () => Promise<void>): Promise<Painted> {
  await page.evaluate(watchFigures);
  await act();
  return await page.evaluate<Painted>('figuresPainted');
}

/** Runs in the page. */
function watchFigures(): void {
  performance.clearResourceTimings();
  let from: number | undefined;
  let wasBusy = false;
  let curve: number | undefined;
  const figuresPainted = new Promise<Painted>((done) => {
    const finish = () => {
      const painted = performance.now();
      const asked = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
        ({ startTime }) => startTime >= from!,
      );
      const first = Math.min(...asked.map(({ startTime }) => startTime));
      const last = Math.max(...asked.map(({ responseEnd }) => responseEnd));
      const own = asked.length === 0 ? painted - from! : painted - last + (first - from!);
      done({ all: painted - from!, curve: (curve ?? painted) - from!, own });
    };
    /** A task after the next frame comes when the frame is painted. */
    const afterPaint = (work: () => void) => requestAnimationFrame(() => setTimeout(work, 0));
    const observer = new MutationObserver(() => {
      const isBusy = document.querySelector('[aria-busy=true]') !== null;
      wasBusy ||= isBusy;
      if (from === undefined || !wasBusy) return;
      if (curve === undefined && document.querySelector('.curve[aria-busy=false]') !== null) {
        curve = Number.POSITIVE_INFINITY;
        afterPaint(() => (curve = performance.now()));
      }
      if (isBusy) return;
      observer.disconnect();
      afterPaint(finish);
    });
    observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-busy'], childList: true });
    addEventListener('click', ({ timeStamp }) => (from = timeStamp), { capture: true, once: true });
  });
  Object.assign(window, { figuresPainted });
}

/** Opens a view of the console; the page is signed in, or it is done now. */
export async function openConsole(page: Page, address: string, { apikey, secret }: TestSite): Promise<void> {
  await page.goto(address);
  const field = page.getByLabel('Site ID');
  await field.or(page.locator('.totals')).first().waitFor();
  if (await field.isVisible()) {
    await field.fill(apikey);
    await page.getByLabel('Secret').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await settled(page);
}

/** Resolves when no panel waits for its figures. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.totals strong').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
}

const BARE = `<!doctype html><title>Bare</title><button>Ask</button><p>Nothing</p><script>
document.querySelector('button').onclick = async () => {
  document.querySelector('p').ariaBusy = 'true';
  document.querySelector('p').textContent = await (await fetch('answer')).text();
  document.querySelector('p').ariaBusy = 'false';
};</script>`;

/** The floor: a page of one button, which asks a bare server and writes its answer. */
export async function openBare(page: Page): Promise<{ close(): void }> {
  const server = createServer(({ url }, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    answer.end(url === '/' ? BARE : String(Math.random()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
