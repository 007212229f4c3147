// The cards and aliases of a site in a file beside the snapshot of its index: with both, posts can be recommended while
// the database is away. A load that has the database reads neither.
import { type SnapshotPart, snapshotPart } from '../textindex/snapshotPart.ts';
import { type CardPage, cardAt } from './cards.ts';
import { restoreIndex } from './indexSnapshot.ts';
import type { SiteIndex } from './siteIndex.ts';
import { inSlices, yieldToEventLoop } from './yieldToEventLoop.ts';

const CARDS_A_PART = 500;
const ALIASES_A_PART = 2_000;
/** Cards taken in before waiting requests get their turn. */
const CARDS_A_SLICE = 16;

/** Aliases first: they are known before the cards are taken in. */
export function* cardSnapshotParts(siteIndex: SiteIndex): Generator<SnapshotPart> {
  let aliases: [alias: string, canonical: string][] = [];
  for (const entry of siteIndex.aliasEntries()) {
    aliases.push(entry);
    if (aliases.length < ALIASES_A_PART) continue;
    yield snapshotPart('aliases', 0, [], aliases);
    aliases = [];
  }
  if (aliases.length > 0) yield snapshotPart('aliases', 0, [], aliases);
  for (const { bytes, ends } of siteIndex.encodedCards(CARDS_A_PART)) yield snapshotPart('cards', 0, [bytes, ends]);
}

/**
 * Fills a site index from both snapshots alone. Posts that one of them has in another version are left out.
 * @returns false where there is nothing that can be used.
 * @throws {DamagedSnapshotError} when a file is not as it was written.
 */
export async function restoreFromSnapshots(
  { index, cards }: { index: AsyncIterable<SnapshotPart>; cards: AsyncIterable<SnapshotPart> },
  siteIndex: SiteIndex,
): Promise<boolean> {
  const kept = await restoreIndex(index, siteIndex, { fresh: false });
  if (!kept) return false;
  let met = 0;
  for await (const one of cards) {
    if (one.name === 'aliases') {
      for (const [alias, canonical] of one.facts as [string, string][]) siteIndex.alias(alias, canonical);
      continue;
    }
    const [bytes, ends] = one.arrays as [CardPage['bytes'], Uint32Array];
    for (let place = 0; place < ends.length; place++) {
      kept.restorePost(cardAt({ bytes, ends }, place));
      if (++met % CARDS_A_SLICE === 0) await yieldToEventLoop();
    }
  }
  await inSlices(kept.removeUnrestored());
  siteIndex.settled();
  return siteIndex.posts > 0;
}
