// Room for a list before it is there, so that nothing on the page moves: the arithmetic of ui/theme.css.
import type { Settings } from './host.ts';

const GAP_PX = 20;
const HEADING_EM = 2.5;

/** Least width of a column in pixels, most columns, height of an item: its share of the column's width, and a fixed part in em. */
const LAYOUTS: Record<string, [number, number, number, number]> = {
  compact: [340, 2, 0, 2.7],
  grid: [150, 3, 0.5625, 6],
  row: [1, 99, 0, 13.75],
};

export function reserve(slot: HTMLElement, { layout, limit }: Settings): void {
  const [least, most, share, fixed] = LAYOUTS[layout!] || [340, 2, 0, 5.25];
  const width = slot.clientWidth + GAP_PX;
  const columns = Math.min(most, (width / least) | 0) || 1;
  const lines = Math.ceil(+limit! / columns);
  if (!slot.dataset.afterword) slot.style.display = 'block';
  slot.style.minHeight = `calc(${lines * (share * (width / columns - GAP_PX) + GAP_PX) - GAP_PX}px + ${lines * fixed + HEADING_EM}em)`;
}
