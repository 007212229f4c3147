// Room for a list before it is there, so that nothing on the page moves: the arithmetic of ui/theme.css.
import type { Settings } from './host.ts';

const GAP_PX = 20;
/** The heading, without the gap that the last item has not. */
const REST_EM = 1.25;
/** How wide a picture is by how high, at least, as in a fragment. What is less, or no number, means no pictures. */
export const NARROWEST = 0.2;

/**
 * Height of an item in em, with the gap below it, without a picture above its text; least width of a column in pixels; most columns;
 * width of that picture in pixels: undefined for as wide as its column.
 */
type Layout = [fixed: number, least: number, most: number, wide?: number];

export const reserve = (slot: HTMLElement, wanted: Settings): void => {
  // Compared, not looked up: a table would find "constructor" in itself, too.
  const [fixed, least, most, wide]: Layout =
    wanted.layout === 'grid'
      ? [7.25, 150, 3]
      : wanted.layout === 'row'
        ? [8.25, 1, 99, 192]
        : [wanted.layout === 'compact' ? 3.95 : 6.5, 340, 2, 0];
  const shape = (wanted.image || 1.78) as number;
  // Says its kind to styles and reports, too, when its name does.
  slot.dataset.afterword ||= slot.localName.slice(10);
  // Before it is measured: what stands in a line of text has no width of its own. What the page hides stays hidden.
  if (slot.offsetParent && !slot.clientWidth) slot.style.display = 'block';
  // The margins of its own children stay inside, where they make room for nothing.
  slot.style.contain = 'layout';
  const width = slot.clientWidth + GAP_PX;
  const columns = Math.min(most, (width / least) | 0) || 1;
  const lines = Math.ceil((wanted.limit as unknown as number) / columns);
  const picture = shape >= NARROWEST ? (wide ?? width / columns - GAP_PX) / shape : 0;
  slot.style.minHeight = `calc(${lines * picture}px + ${lines * fixed + REST_EM}em)`;
};
