// Room for a list before it is there, so that nothing on the page moves: the arithmetic of ui/theme.css.
import type { Settings } from './host.ts';

const GAP_PX = 20;
/** The heading, without the gap that the last item has not. */
const REST_EM = 1.25;

/**
 * Height of an item in em, with the gap below it, without a picture above its text; least width of a column in pixels; most columns;
 * width of that picture in pixels: null for as wide as its column.
 */
type Layout = [fixed: number, least: number, most: number, wide: number | null];

export function reserve(slot: HTMLElement, { image = '1.78', layout, limit }: Settings): void {
  // In here, the minifier puts it where it is used.
  const layouts: Record<string, Layout> = {
    compact: [3.95, 340, 2, 0],
    grid: [7.25, 150, 3, null],
    row: [8.25, 1, 99, 192],
  };
  const [fixed, least, most, wide] = layouts[layout!] || [6.5, 340, 2, 0];
  // Says its kind to styles and reports, too, when its name does.
  slot.dataset.afterword ||= slot.localName.slice(10);
  // Before it is measured: what stands in a line of text has no width of its own. What the page hides stays hidden.
  if (slot.offsetParent && !slot.clientWidth) slot.style.display = 'block';
  // The margins of its own children stay inside, where they make room for nothing.
  slot.style.contain = 'layout';
  const width = slot.clientWidth + GAP_PX;
  const columns = Math.min(most, (width / least) | 0) || 1;
  const lines = Math.ceil(+limit! / columns);
  // "off" is no number: no picture.
  const picture = (wide ?? width / columns - GAP_PX) / (+image || 1 / 0);
  slot.style.minHeight = `calc(${lines * picture}px + ${lines * fixed + REST_EM}em)`;
}
