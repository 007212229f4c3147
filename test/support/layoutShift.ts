// How much a page moved under its reader, as the browser itself counts it.
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** Counts from the first paint on. Call before the page is opened. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.layoutShift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum of all shifts so far, with those of the frame that is being made. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.layoutShift), 50))),
      ),
  );
}
