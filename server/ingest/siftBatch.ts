// Turns the events of a batch into rows: pipeline → deduplication → cardinality limits → encoded lines of the queue.
import { OverloadedError } from '../errors.ts';
import type { Described } from '../posts/eventPosts.ts';
import { postIdIn } from '../posts/postId.ts';
import type { SiteId } from '../sites/site.ts';
import type { EventStore } from '../storage/store.ts';
import { OTHER } from './cardinality/cardinalityLimit.ts';
import type { NameCardinality } from './cardinality/nameCardinality.ts';
import type { Drop } from './counts.ts';
import type { DeduplicationWindow } from './dedupe/deduplicationWindow.ts';
import type { EventKey } from './dedupe/eventKey.ts';
import type { EventRow, ListRow } from './eventRow.ts';
import type { Pipeline } from './pipeline.ts';
import type { Queue } from './queue/queue.ts';
import type { Sender } from './types.ts';

/** What became of a batch. */
export interface Sifted {
  /** Events kept, by site: nearly always one. */
  stored: { site: SiteId; count: number }[];
  /** Pages and videos to be reported by `IngestOptions.viewed`. */
  views: { site: SiteId; url: string; network: string | undefined }[];
  /** Posts that were opened from lists. */
  clicks: { site: SiteId; url: string }[];
  /** Lists that were reported. */
  lists: ListRow[];
  /** Of repeated events whose first ones are being written: the batch is acknowledged after those. */
  twins: Promise<void>[];
  drops: Drop[];
}

export interface SiftOptions {
  pipeline: Pipeline;
  window: DeduplicationWindow;
  names: NameCardinality;
  queue: Pick<Queue, 'lines' | 'written'>;
  writeLine: EventStore['writeLine'];
  /** Epoch milliseconds. */
  now(): number;
  described: ((said: Described) => void) | undefined;
  /** Whether `Sifted.views` is wanted. */
  wantsViews: boolean;
}

/**
 * @param fresh Receives the keys of events that the window did not hold.
 * @throws {OverloadedError} when it is unknown whether an event is stored already.
 */
export type SiftBatch = (events: readonly unknown[], sender: Sender, fresh: EventKey[]) => Sifted;

export function createSiftBatch(options: SiftOptions): SiftBatch {
  const { pipeline, window, names, queue, writeLine, now, described, wantsViews } = options;
  const { lines } = queue;

  /** @returns Whether the event came before. */
  function isDuplicate({ site, key }: EventRow, sifted: Sifted, { fresh, written }: Batch): boolean {
    if (key === undefined) return false;
    const state = window.get(key);
    if (state === undefined) {
      window.remember(key, written);
      fresh.push(key);
      return false;
    }
    if (state === 'in doubt') throw new OverloadedError('It is not known yet whether this event was stored.');
    sifted.drops.push({ site, reason: 'duplicate', count: 1 });
    if (state !== 'durable') sifted.twins.push(state);
    return true;
  }

  return (events, sender, fresh) => {
    const arrival = now();
    const by = { now: arrival, network: sender.source };
    const sifted: Sifted = { stored: [], views: [], clicks: [], lists: [], twins: [], drops: [] };
    const batch = { fresh, written: queue.written() };
    for (const event of events) {
      const outcome = pipeline.run(event, sender, arrival);
      if ('drop' in outcome) {
        const { site, drop: reason, bot, host } = outcome;
        sifted.drops.push({ site, reason, count: 1, bot, host });
        continue;
      }
      const { site, row, page, patch } = outcome;
      if (isDuplicate(row, sifted, batch)) continue;
      // The event is kept, without the page, video or referring page that is beyond the limit.
      if (names.bound(row, by, page)) sifted.drops.push({ site, reason: 'too-many-urls', count: 1 });
      writeLine(row, lines, page);
      if (row.lists !== undefined) {
        sifted.lists.push(...row.lists);
        sifted.clicks.push(...clicksOf(row.site, row.lists));
      }
      if (patch !== undefined && row.url !== OTHER)
        described?.({ site: row.site, url: row.url, patch, network: sender.source });
      const tally = sifted.stored.at(-1);
      if (tally?.site === row.site) tally.count++;
      else sifted.stored.push({ site: row.site, count: 1 });
      const name = wantsViews ? unknownName(row) : undefined;
      if (name !== undefined) sifted.views.push({ site: row.site, url: name, network: sender.source });
    }
    return sifted;
  };
}

interface Batch {
  fresh: EventKey[];
  written: Promise<void>;
}

const clicksOf = (site: SiteId, lists: readonly ListRow[]): Sifted['clicks'] =>
  lists.flatMap(({ items }) => items.flatMap(({ post, clicks }) => (clicks > 0 ? [{ site, url: post }] : [])));

/** A name that the publisher may not have declared: the page that was viewed, or a video that is named by an id. */
function unknownName({ action, url, video }: EventRow): string | undefined {
  if (action === 'pageview') return url === OTHER ? undefined : url;
  return action === 'videostart' && video !== OTHER && postIdIn(video) !== undefined ? video : undefined;
}
