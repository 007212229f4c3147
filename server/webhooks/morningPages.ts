// The morning page as a message to the webhook of a site, once a day.
import { readMorningPage } from '../rankings/morningPage.ts';
import { isMorning } from '../sites/alarmSettings.ts';
import type { Exclusions } from '../sites/exclusions.ts';
import type { Site } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import type { StoredMessage } from '../storage/webhookMessages.ts';
import { dayOf, HOUR } from '../traffic/zone.ts';
import { toMorningText } from './morningText.ts';
import { messageId } from './outbox.ts';

export interface MorningOptions {
  store: { traffic: TrafficStore };
  exclusions: Pick<Exclusions, 'of'>;
  /** Epoch milliseconds. */
  now(): number;
}

/** Later in the day it is no morning page. */
const NEWS_MS = 6 * HOUR;

export function createMorningPages({ store, exclusions, now }: MorningOptions) {
  return {
    /** The page of today, where it is time for it and none is stored. */
    async due(site: Site, stored: readonly StoredMessage[]): Promise<StoredMessage[]> {
      if (!isMorning(site.alarms?.morning, now(), site.timezone)) return [];
      const id = messageId(site.id, 'digest.morning', dayOf(now(), site.timezone));
      if (stored.some((message) => message.id === id)) return [];
      return [await toMorningMessage({ store, exclusions }, site, { id, now: now() })];
    },
  };
}

export async function toMorningMessage(
  parts: Pick<MorningOptions, 'store' | 'exclusions'>,
  site: Site,
  { id, now }: { id: string; now: number },
): Promise<StoredMessage> {
  const page = await readMorningPage(parts, site, now);
  return {
    site: site.id,
    id,
    kind: 'digest.morning',
    at: now,
    text: toMorningText(page),
    data: { ...page },
    until: now + NEWS_MS,
  };
}
