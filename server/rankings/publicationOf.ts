// When a post was published, as far as its date says it.
import { DAY } from '../durations.ts';
import { startOfDay } from '../traffic/zone.ts';

/**
 * Epoch milliseconds. A date without a time is kept as midnight of UTC. It is that day everywhere, and begins where the
 * day does.
 * @param zone Of the site.
 */
export const publicationOf = (pubDate: number, zone: string): number =>
  pubDate % DAY === 0 ? startOfDay(new Date(pubDate).toISOString().slice(0, 10), zone) : pubDate;
