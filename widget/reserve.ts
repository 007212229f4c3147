// Room for a list before it is there, so that nothing on the page moves: the arithmetic of ui/theme.css.
import type { Settings } from './host.ts';

const GAP_PX = 20;
const HEADING_EM = 2.5;

/** Height of an item in em; least width of a column in pixels; most columns; what is added to the height, as a share of the column's width. */
type Layout = [fixed: number, least?: number, most?: number, share?: number];

const LAYOUTS: Record<string, Layout> = { compact: [2.7], grid: [6, 150, 3, 0.5625], row: [13.75, 1, 99] };

export function reserve(slot: HTMLElement, { layout, limit }: Settings): void {
  const [fixed, least = 340, most = 2, share = 0] = LAYOUTS[layout!] || [5.25];
  // Before it is measured: an element of a name of its own stands in a line of text.
  if (!slot.dataset.afterword) slot.style.display = 'block';
  // The margins of its own children stay inside, where they make room for nothing.
  slot.style.contain = 'layout';
  const width = slot.clientWidth + GAP_PX;
  const columns = Math.min(most, (width / least) | 0) || 1;
  const lines = Math.ceil(+limit! / columns);
  slot.style.minHeight = `calc(${lines * (share * (width / columns - GAP_PX) + GAP_PX) - GAP_PX}px + ${lines * fixed + HEADING_EM}em)`;
}
