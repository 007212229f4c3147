// The cards and aliases of a site in a file beside the snapshot of its index: with both, posts can be recommended while the database is
// away. A load that has the database reads neither.
import { type SnapshotPart, snapshotPart } from '../textindex/snapshotPart.ts';
import { breath, inSlices } from './breath.ts';
import { type CardPage, cardAt } from './cards.ts';
import { takeUp } from './kept.ts';
import type { Shelf } from './shelf.ts';

const CARDS_A_PIECE = 500;
const ALIASES_A_PIECE = 2_000;
/** Cards taken in before waiting requests get their turn. */
const CARDS_A_SLICE = 16;

/** Aliases first: they are known before the cards are taken in. */
export function* cardPieces(shelf: Shelf): Generator<SnapshotPart> {
  let aliases: [alias: string, canonical: string][] = [];
  for (const entry of shelf.aliasEntries()) {
    aliases.push(entry);
    if (aliases.length < ALIASES_A_PIECE) continue;
    yield snapshotPart('aliases', 0, [], aliases);
    aliases = [];
  }
  if (aliases.length > 0) yield snapshotPart('aliases', 0, [], aliases);
  for (const { bytes, ends } of shelf.encodedCards(CARDS_A_PIECE)) yield snapshotPart('cards', 0, [bytes, ends]);
}

/**
 * Fills a shelf from both snapshots alone. Posts that one of them has in another version are left out.
 * @returns false where there is nothing that can be used.
 * @throws {DamagedIndexError} when a file is not as it was written.
 */
export async function loadSnapshot(
  { index, cards }: { index: AsyncIterable<SnapshotPart>; cards: AsyncIterable<SnapshotPart> },
  shelf: Shelf,
): Promise<boolean> {
  const kept = await takeUp(index, shelf, { fresh: false });
  if (!kept) return false;
  let met = 0;
  for await (const one of cards) {
    if (one.name === 'aliases') {
      for (const [alias, canonical] of one.facts as [string, string][]) shelf.alias(alias, canonical);
      continue;
    }
    const [bytes, ends] = one.arrays as [CardPage['bytes'], Uint32Array];
    for (let place = 0; place < ends.length; place++) {
      kept.restorePost(cardAt({ bytes, ends }, place));
      if (++met % CARDS_A_SLICE === 0) await breath();
    }
  }
  await inSlices(kept.letGo());
  shelf.settled();
  return shelf.posts > 0;
}
