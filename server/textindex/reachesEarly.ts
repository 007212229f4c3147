// Whether two posts are close by single words alone: of posts that are close, few words of the other are read.

import type { TermSlots } from './termSlots.ts';
import type { VarintReader } from './varints.ts';

/** So many distinctive words in common are always enough. */
const MANIFOLD = 3;
/** Words read at once. */
const AT_ONCE = 64;

/**
 * Reads a forward index entry from its beginning until what is shared comes to `enough` and is distinctive.
 * @param of.slots By word of the site: its slot in the table plus one, 0 where it has none.
 */
export function reachesEarly(
  from: VarintReader,
  { table, slots, enough }: { table: TermSlots; slots: Uint16Array; enough: number },
): boolean {
  const { frequencies, rates, distinctive } = table;
  table.count = 0;
  let words = 0;
  let sum = 0;
  let left = from.next() + from.next() + from.next();
  for (; left > 0 && (sum < enough || words < MANIFOLD); left -= AT_ONCE) {
    const count = Math.min(left, AT_ONCE);
    const row = from.row(count);
    for (let i = 0; i < count; i++) {
      const slot = slots[row[i]!]! - 1;
      if (slot < 0 || frequencies[slot] !== 0) continue;
      table.tally(slot, 1);
      words += distinctive[slot]!;
      sum += rates[slot]!;
    }
  }
  table.forget();
  return sum >= enough && words >= MANIFOLD;
}
