// The morning page as a message, once a day.
import { toMorningText } from '../mail/morningText.ts';
import { readMorningPage } from '../rankings/morningPage.ts';
import type { Exclusions } from '../sites/exclusions.ts';
import type { Site } from '../sites/site.ts';
import type { StoredMessage } from '../storage/messages.ts';
import type { TrafficStore } from '../storage/store.ts';
import { MORNING_NEWS_MS, morningId, untilOfMorning } from './subscribers.ts';

export interface MorningOptions {
  store: { traffic: TrafficStore };
  exclusions: Pick<Exclusions, 'of'>;
  /** Epoch milliseconds. */
  now(): number;
}

export function createMorningPages({ store, exclusions, now }: MorningOptions) {
  return {
    /** The page of today, where none is stored. */
    async due(site: Site, stored: readonly StoredMessage[]): Promise<StoredMessage[]> {
      const id = morningId(site, now());
      if (stored.some((message) => message.id === id)) return [];
      const message = await toMorningMessage({ store, exclusions }, site, { id, now: now() });
      // Receivers have times of their own.
      return [{ ...message, until: untilOfMorning(site, now()) }];
    },
  };
}

/** The page as a message to all at once. */
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
    until: now + MORNING_NEWS_MS,
  };
}
