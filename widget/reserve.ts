// biome-ignore-all lint/suspicious/noDoubleEquals: text is compared with text, and the loader is counted in bytes

// Room for a list before it is there, so that nothing on the page moves: the arithmetic of ui/theme.css. Lengths are in
// em of the slot.
import type { Settings } from './host.ts';

/** Between two columns, and between two items. */
const GAP = 1;
/** The heading, and what is above and below the list, without the gap that the last item has not. */
const REST = 3;
/** How wide a picture is by how high, at least, as in a fragment. What is less, or no number, means no pictures. */
export const NARROWEST = 0.2;

/**
 * Height of an item, with the gap below it, without a picture above its text; columns; width of that picture, where it
 * is not a column's.
 */
type Layout = [fixed: number, columns: number, wide?: number];

export const reserve = (slot: HTMLElement, wanted: Settings): void => {
  // What stands in a line of text has no width of its own, and the margins of own children stay inside. What the page
  // hides stays hidden.
  if (slot.offsetParent) slot.style.display = 'flow-root';
  // The computed size is in pixels.
  const width = slot.clientWidth / (getComputedStyle(slot).fontSize.slice(0, -2) as unknown as number) + GAP;
  // Compared, not looked up: a table would find "constructor" in itself, too.
  const [fixed, columns, wide]: Layout =
    wanted.layout == 'grid'
      ? // Where three columns would leave one post alone: four columns or two.
        [
          7,
          Math.min(
            (wanted.columns as never) || (((wanted.limit as never) % 3) - 1 ? 3 : width < 36 ? 2 : 4),
            (width / 9) | 0,
          ) || 1,
        ]
      : wanted.layout == 'row'
        ? [8, wanted.limit as never, 12]
        : [wanted.layout == 'compact' ? 4 : 7, Math.min((wanted.columns as never) || 2, (width / 22) | 0) || 1, 0];
  const shape = (wanted.image || 1.8) as number;
  const lines = Math.ceil((wanted.limit as never) / columns);
  slot.style.minHeight = `${REST + lines * (fixed + ((shape >= NARROWEST && (wide ?? width / columns - GAP) / shape) as number))}em`;
};
