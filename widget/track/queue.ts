// One queue for everything that is reported: sent in batches, and at the latest when the page is left.
import type { Action, IncomingEvent } from '../../server/contract/wire.ts';
import { data, host, pageUrl, settle } from '../page.ts';
import { MAX_CHARS, unsent } from '../storage.ts';
import { consent, freshId, id, visitor } from '../visitor.ts';
import { deliver } from './delivery.ts';
import { toJson } from './toJson.ts';

/** How long events wait for company, in milliseconds. */
const PATIENCE_MS = 1000;
/** Events in memory. */
const MAX_UNSENT = 1000;
const waiting = new Set<IncomingEvent>();

/** Sends what waits. `OPTOUT` makes the server not distinguish this reader either. Never rejects. */
export async function flush(): Promise<void> {
  const parsely_site_uuid = consent ? id : 'OPTOUT';
  try {
    // A second after a view: a router may fetch a page, and then set its link, long after it has set its address.
    settle();
    host._look?.();
    for (const event of waiting) {
      // First: one that is no JSON, as a page's label may be, must not stop the others again.
      waiting.delete(event);
      const json = toJson({ ...event, data: { ...event.data, parsely_site_uuid } })!;
      if (json.length < MAX_CHARS && unsent.size < MAX_UNSENT) unsent.add(json);
    }
    await deliver();
  } catch (error) {
    host._report(error);
  }
}

/**
 * Under `data-consent="required"` nothing is reported before a yes; `data-track` names what is, when not everything.
 */
export function reports(what: string): boolean {
  const { track, consent: required } = data();
  return (consent || !required) && (!track || track.split(' ').includes(what));
}

/** Set by older installations only; the other builds have no trace of it. */
let eventMapper: ((event: IncomingEvent) => IncomingEvent) | undefined;

/** @param mapper Is given every event that is reported, and returns what is sent instead. */
export function mapEvents(mapper: (event: IncomingEvent) => IncomingEvent): void {
  eventMapper = mapper;
}

/**
 * An event has its own id, so that one sent twice is counted once.
 * @param waits Until another event is sent, or the page is left.
 */
export function report(action: Action, details?: Partial<IncomingEvent>, waits?: boolean): void {
  if (!reports(action)) return;
  const url = host._viewed || pageUrl();
  const event = { idsite: data().site!, action, url, date: Date.now(), eid: freshId(), ...details };
  waiting.add(eventMapper ? eventMapper(event) : event);
  if (!waits) visitor().then(() => setTimeout(flush, PATIENCE_MS));
}
