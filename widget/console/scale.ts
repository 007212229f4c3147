// Arithmetic of the curve: round steps of its axis, and lines through its points.

interface Steps {
  /** About so many. Default: 4. */
  count?: number;
  /** Whole things are counted: there is no half of one at the axis. Default: false. */
  isWhole?: boolean;
}

/** Round values from 0 to at least `most`. */
export function ticksTo(most: number, { count = 4, isWhole = false }: Steps = {}): number[] {
  // Of nothing there are no parts.
  if (most === 0) return [0, 1];
  const rough = Math.max(most / count, isWhole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((size) => size >= rough * 0.999 && (!isWhole || Number.isInteger(size)))!;
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, at) => Math.round(at * step * 1e6) / 1e6);
}

/** Indices of points that get a label: at most so many, evenly. */
export function labelled(points: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(points / Math.max(1, most)));
  return Array.from({ length: Math.ceil(points / every) }, (_, at) => at * every);
}

export interface Place {
  x: number;
  y: number;
}

/** Path of a line. */
export const lineOf = (places: readonly Place[]): string =>
  places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

/** Path of the area below a line. */
export function areaOf(places: readonly Place[], floor: number): string {
  const [first, last] = [places[0], places.at(-1)];
  return first && last ? `${lineOf(places)}L${round(last.x)} ${floor}L${round(first.x)} ${floor}Z` : '';
}

const round = (length: number): number => Math.round(length * 10) / 10;
