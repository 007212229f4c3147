// How much a page moved under its reader, by where its paragraphs stand in each frame: of this each browser can tell.
import type { Page } from 'playwright-core';

export interface Moves {
  /** Paragraphs that were seen. */
  seen: number;
  /** Pixels that they moved, all together, after the frame that they were first seen in. */
  by: number;
}

/** Watches each page that is opened from now on. */
export async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tops = new Map<Element, number>();
    const moves = { seen: 0, by: 0 };
    Object.assign(window, { moves });
    const look = (): void => {
      for (const element of document.querySelectorAll('p')) {
        const top = element.getBoundingClientRect().top + scrollY;
        moves.by += Math.abs(top - (tops.get(element) ?? top));
        tops.set(element, top);
      }
      moves.seen = tops.size;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** All moves so far, with those of the frame that is being made. */
export async function moves(page: Page): Promise<Moves> {
  return page.evaluate(
    () =>
      new Promise<Moves>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve((window as unknown as { moves: Moves }).moves)),
        ),
      ),
  );
}
