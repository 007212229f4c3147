// One queue for everything that is reported: sent in batches, and at the latest when the page is left.
import type { Action, IncomingEvent } from '../../server/contract/wire.ts';
import { postEvents } from '../api.ts';
import { data, host, pageUrl } from '../page.ts';
import { consent, freshId, id, visitor } from '../visitor.ts';

/** How long events wait for company, in milliseconds. */
const PATIENCE_MS = 1000;
const waiting: IncomingEvent[] = [];

/** Sends what waits. `OPTOUT` asks the server not to tell this reader apart either. */
export function flush(): void {
  const parsely_site_uuid = consent ? id : 'OPTOUT';
  const events = waiting.splice(0).map((event) => ({ ...event, data: { ...event.data, parsely_site_uuid } }));
  if (events.length) postEvents(events).catch(host._report);
}

/** Under `data-consent="required"` nothing is reported before a yes; `data-track` names what is, when not everything. */
export function reports(what: string): boolean {
  const { track, consent: required } = data();
  return (consent || !required) && (!track || track.split(' ').includes(what));
}

/** An event has its own id, so that one sent twice is counted once. */
export function report(action: Action, details: Partial<IncomingEvent>): void {
  if (!reports(action)) return;
  const url = host._viewed || pageUrl();
  waiting.push({ idsite: data().site!, action, url, date: Date.now(), eid: freshId(), ...details });
  visitor().then(() => setTimeout(flush, PATIENCE_MS));
}
