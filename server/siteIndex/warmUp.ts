// The sites that recent traffic asks for come into memory after a start, the most visited first, one at a time:
// requests for others are not to wait behind them. All others are loaded when they are asked for.
import type { Logger } from 'pino';
import { DAY } from '../durations.ts';
import type { LoadedReadership } from '../readers/readership.ts';
import type { SiteId } from '../sites/site.ts';
import type { ReadingStore } from '../storage/store.ts';
import type { LoadedLibrary } from './types.ts';

export interface WarmUpOptions {
  readings: Pick<ReadingStore, 'busiest'>;
  library: Pick<LoadedLibrary, 'warm' | 'sizes'>;
  readership: Pick<LoadedReadership, 'warm'>;
  /** Whether there is such a site. */
  isSite: (site: SiteId) => boolean;
  /** Epoch milliseconds. */
  now: () => number;
  log: Logger;
  stop: AbortSignal;
}

/** Traffic of this many days decides which sites are loaded. */
const DAYS = 3;
/** A site with fewer visits is loaded on its first request, within a second. */
const MOST_SITES = 50;
/** The rest of the memory for indexes is left to sites loaded on request. */
const FILLED_SHARE = 0.5;

/** Resolves when it is done; a failure is logged. */
export async function warmUp({ readings, library, readership, isSite, now, log, stop }: WarmUpOptions): Promise<void> {
  try {
    const since = new Date(now() - DAYS * DAY).toISOString().slice(0, 10);
    for (const site of await readings.busiest({ since, most: MOST_SITES })) {
      const { bytes, limit } = library.sizes();
      if (stop.aborted || bytes > limit * FILLED_SHARE) return;
      if (!isSite(site)) continue;
      await library.warm(site);
      if (!stop.aborted) await readership.warm(site);
    }
  } catch (err) {
    log.warn({ err }, 'the most visited sites are not known now; each is loaded when it is asked for');
  }
}
