// The room of a list in a page's own style sheet: there at the first paint, which an async tag can come after. The
// arithmetic is the loader's own, asked at one width after the other.
import { toLimit } from '../config.ts';
import { reserve } from '../reserve.ts';

/** Lengths in em of the slot: from this width on, the list is as high as `fixed` and `slope` of its width. */
export interface Piece {
  from: number;
  fixed: number;
  slope: number;
}

/** Widths of a slot that are looked at, in em: from a watch to a wall. */
const NARROW = 8;
const WIDE = 120;
const STEP = 0.5;
/**
 * How far a height may be off a straight line and still be on it; and a width off the place where the columns change.
 */
const EXACT = 0.01;
const FONT_PX = 16;

/** @param attributes Those of the slot, with their `data-`. */
export function measureRoom(attributes: readonly (readonly [name: string, value: string])[]): Piece[] {
  const box = document.createElement('div');
  box.style.cssText = `position:absolute;visibility:hidden;font-size:${FONT_PX}px`;
  const slot = box.appendChild(document.createElement('div'));
  for (const [name, value] of attributes) slot.setAttribute(name, value);
  const settings = { ...slot.dataset, limit: toLimit(slot.dataset.limit) };
  document.body.append(box);
  try {
    return piecesOf((width) => {
      box.style.width = `${width}em`;
      slot.removeAttribute('style');
      reserve(slot, settings);
      return Number.parseFloat(getComputedStyle(slot).minHeight) / FONT_PX;
    });
  } finally {
    box.remove();
  }
}

/** The straight pieces of a function of the width. */
export function piecesOf(height: (width: number) => number): Piece[] {
  const pieces: Piece[] = [];
  for (let from = NARROW; from < WIDE; ) {
    const slope = (height(from + STEP) - height(from)) / STEP;
    const fixed = height(from) - slope * from;
    const isOn = (width: number): boolean => Math.abs(height(width) - fixed - slope * width) < EXACT;
    pieces.push({ from, fixed, slope });
    let to = from + STEP;
    while (to < WIDE && isOn(to)) to += STEP;
    from = to < WIDE ? firstOff(isOn, to - STEP, to) : WIDE;
  }
  return pieces;
}

function firstOff(isOn: (width: number) => boolean, on: number, off: number): number {
  while (off - on > EXACT / 4) {
    const middle = (on + off) / 2;
    if (isOn(middle)) on = middle;
    else off = middle;
  }
  return off;
}

/**
 * Rules that keep the room until the list has come: a strut before it, as high as the list will be at the slot's own
 * width. The loader says by `min-height` in the slot's style that it reserves, too, and takes that away when the list
 * is there.
 */
export function toRoomStyle(selector: string, pieces: readonly Piece[]): string {
  const slot = `${selector}:is(:not([style]), [style*="min-height"])`;
  const [first, ...others] = pieces.map(({ from, fixed, slope }) => ({
    from: round(from),
    height: lengthOf(fixed, slope),
  }));
  return [
    // Always: a box that ceases to be a container counts as moved.
    `${selector} { container-type: inline-size; display: flow-root; }`,
    `${slot}::before { content: ""; float: left; height: ${first?.height ?? 0}; }`,
    ...others.map(({ from, height }) => `@container (min-width: ${from}em) { ${slot}::before { height: ${height}; } }`),
    `@media print { ${slot}::before { content: none; } }`,
  ].join('\n');
}

const round = (length: number): number => Math.round(length * 100) / 100;

function lengthOf(fixed: number, slope: number): string {
  const share = Math.round(slope * 10_000) / 100;
  return share === 0 ? `${round(fixed)}em` : `calc(${round(fixed)}em + ${share}cqi)`;
}
