// Events of the last minutes that were not stored, by site, reason and minute: for a publisher who sets a tag up. They
// are kept in memory, by each copy of the server for itself, and gone after a restart.
import { LRUCache } from 'lru-cache';
import { SETUP_MINUTES } from '../contract/setUp.ts';
import { MINUTE } from '../durations.ts';
import type { DropReason } from './types.ts';

/** Of sites with drops, the least recent one is given up: about 2 kB each. */
const MAX_SITES = 2_000;

/** A ring of minutes. */
interface Ring {
  counts: Float64Array;
  /** The minute of each count, since 1970: another one is long ago, or before the clock was set back. */
  minutes: Float64Array;
  /** Of the newest drop. */
  host: string | null;
}

/** A URL allows more characters: this one is shown in a command, which someone may paste into a shell. */
const HOST_NAME = /^[a-z0-9][a-z0-9._-]*$/;

interface NewDrop {
  reason: DropReason;
  count: number;
  /** Epoch milliseconds. */
  now: number;
  host?: string | undefined;
}

export interface DropCourse {
  reason: DropReason;
  count: number;
  /** Of each of the last `SETUP_MINUTES` minutes, the last one not over. */
  course: number[];
  /** Host of the newest page, where that is the reason and it is a name of the DNS; else null. */
  host: string | null;
}

export function createRecentDrops() {
  const sites = new LRUCache<string, Map<DropReason, Ring>>({ max: MAX_SITES });

  return {
    add(site: string, { reason, count, now, host }: NewDrop): void {
      const ofSite = sites.get(site) ?? new Map<DropReason, Ring>();
      sites.set(site, ofSite);
      const ring = ofSite.get(reason) ?? emptyRing();
      ofSite.set(reason, ring);
      const minute = Math.floor(now / MINUTE);
      const at = minute % SETUP_MINUTES;
      if (ring.minutes[at] !== minute) ring.counts[at] = 0;
      ring.minutes[at] = minute;
      ring.counts[at]! += count;
      ring.host = host !== undefined && HOST_NAME.test(host) ? host : null;
    },

    /** The most frequent reason first; those without a drop in these minutes are left out. */
    of(site: string, now: number): DropCourse[] {
      const last = Math.floor(now / MINUTE);
      const courses = [...(sites.get(site) ?? [])].map(([reason, ring]) => toCourse(reason, ring, last));
      return courses.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    },
  };
}

const emptyRing = (): Ring => ({
  counts: new Float64Array(SETUP_MINUTES),
  minutes: new Float64Array(SETUP_MINUTES),
  host: null,
});

function toCourse(reason: DropReason, { counts, minutes, host }: Ring, last: number): DropCourse {
  const course = Array.from({ length: SETUP_MINUTES }, (_, at) => {
    const minute = last - SETUP_MINUTES + 1 + at;
    const place = minute % SETUP_MINUTES;
    return minutes[place] === minute ? counts[place]! : 0;
  });
  return { reason, count: course.reduce((sum, count) => sum + count, 0), course, host };
}
