// Pins of editors: posts that stand at given positions of a list, whatever their scores. All other posts keep their
// order, and fill the positions in between.
import type { Filter } from './filters.ts';
import type { Ranked } from './prunedTopK.ts';
import type { Query } from './query.ts';
import type { PinnedPost } from './request.ts';

/** A pin that the list may show. */
export interface PlacedPin {
  number: number;
  /** From 1, no two the same. */
  place: number;
}

/**
 * The pins that a list shows, by their places: those of posts that its filters allow, each post once. Of several at one
 * position the first stands there, the others behind it.
 */
export function placePins(query: Query, allowed: Filter, pins: readonly PinnedPost[] = []): PlacedPin[] {
  const numbers = new Set<number>();
  const shown = pins
    .map(({ url, position }) => ({ number: query.index.find(url), position }))
    .filter(({ number }) => number >= 0 && allowed(number) && !numbers.has(number) && numbers.add(number))
    .sort((one, other) => one.position - other.position);
  let last = 0;
  return shown.map(({ number, position }) => {
    last = Math.max(position, last + 1);
    return { number, place: last };
  });
}

/** The filter of all other posts. */
export function exceptPins(pins: readonly PlacedPin[], allowed: Filter): Filter {
  if (pins.length === 0) return allowed;
  const numbers = new Set(pins.map(({ number }) => number));
  return (number) => allowed(number) && !numbers.has(number);
}

/** Puts the pins at their places; where the ranking ends before them, they follow it. */
export function* withPins(ranking: Iterable<Ranked>, pins: readonly PlacedPin[]): Generator<Ranked> {
  let next = 0;
  let place = 1;
  for (const ranked of ranking) {
    for (let pin = pins[next]; pin?.place === place; pin = pins[++next], place++) yield toRanked(pin);
    yield ranked;
    place++;
  }
  for (const pin of pins.slice(next)) yield toRanked(pin);
}

const toRanked = ({ number }: PlacedPin): Ranked => ({ number, score: 0, source: 'editor' });
