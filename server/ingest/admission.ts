// Who may send how much: asked before anything else looks at a batch. What is refused is refused whole, so that a sender
// who comes again with the same batch stores it once.
import { MAX_BATCH_EVENTS } from '../contract/limits.ts';
import { RefusedError, type Sender, type SiteDirectory } from '../deps.ts';
import { isRecord } from './parseEvent.ts';
import { createRateLimit, type Rate, type RateLimit } from './rateLimit.ts';

export interface AdmissionLimits {
  /** Events of one batch; default 2,000. */
  eventsPerBatch?: number | undefined;
  /** Events from one /24 or /48 of addresses; default 200 a second, 10,000 at once. Private networks are not limited. */
  perPrefix?: Rate | undefined;
  /** Events for one site; default: as many as come. */
  perSite?: Rate | undefined;
}

interface Share {
  limit: RateLimit;
  key: string;
  count: number;
  /** "" where it is the sender's own rate. */
  site: string;
}

export interface Admission {
  /**
   * @returns The events that may go on: all of them, or of an app's too long batch the first ones. An app sends a refused
   *   batch again for ever, and nothing would come of it.
   * @throws {RefusedError} when none may.
   */
  admit(events: readonly unknown[], sender: Sender, now: number): readonly unknown[];
}

export function createAdmission(limits: AdmissionLimits, sites: Pick<SiteDirectory, 'find'>): Admission {
  const { eventsPerBatch = MAX_BATCH_EVENTS, perPrefix = { perSecond: 200, burst: 10_000 }, perSite } = limits;
  const ofPrefix = rateOf(perPrefix);
  const ofSite = perSite && rateOf(perSite);

  /** A batch must fit, or it could never be sent. */
  function rateOf({ perSecond, burst }: Rate): RateLimit {
    return createRateLimit({ perSecond, burst: Math.max(burst, eventsPerBatch) });
  }

  /** What counts against which rate; sites that are not known count against none. */
  function shares(events: readonly unknown[], { source }: Sender): Share[] {
    const found: Share[] = [];
    if (source !== undefined) found.push({ limit: ofPrefix, key: source, count: events.length, site: '' });
    if (ofSite === undefined) return found;
    for (const [site, count] of countSites(events)) found.push({ limit: ofSite, key: site, count, site });
    return found;
  }

  function countSites(events: readonly unknown[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const event of events) {
      const id = isRecord(event) && typeof event.idsite === 'string' ? sites.find(event.idsite)?.id : undefined;
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  return {
    admit(events, sender, now) {
      if (events.length > eventsPerBatch && sender.speaksFor !== 'app users') {
        throw new RefusedError({ reason: 'too-many-events', limit: eventsPerBatch });
      }
      const taken = events.length > eventsPerBatch ? events.slice(0, eventsPerBatch) : events;
      const wanted = shares(taken, sender);
      for (const { limit, key, count, site } of wanted) {
        const waitMs = limit.wait(key, count, now);
        if (waitMs > 0)
          throw new RefusedError({ reason: site === '' ? 'rate-limited' : 'site-rate-limited', site, waitMs });
      }
      for (const { limit, key, count } of wanted) limit.take(key, count, now);
      return taken;
    },
  };
}
