// One queue for everything that is reported: sent in batches, and at the latest when the page is left.
import type { Action, IncomingEvent } from '../../server/contract/wire.ts';
import { postEvents } from '../api.ts';
import { data } from '../page.ts';
import { consent, freshId, visitor } from '../visitor.ts';

/** How long events wait for company, in milliseconds. */
const PATIENCE_MS = 1000;
const waiting: IncomingEvent[] = [];

export function flush(): void {
  if (waiting.length) postEvents(waiting.splice(0));
}

/** Under `data-consent="required"` nothing is reported before a yes; `data-track` names what is, when not everything. */
export function reports(what: string): boolean {
  const { track, consent: required } = data();
  return (consent || !required) && (!track || track.includes(what));
}

/** An event has its own id, so that one sent twice is counted once. */
export async function report(action: Action, details: Partial<IncomingEvent>): Promise<void> {
  if (!reports(action)) return;
  const event = { idsite: data().site!, action, date: Date.now(), eid: freshId(), url: '', ...details };
  waiting.push({ ...event, data: { ...event.data, parsely_site_uuid: (await visitor()) || 'OPTOUT' } });
  setTimeout(flush, PATIENCE_MS);
}
