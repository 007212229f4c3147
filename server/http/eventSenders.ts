// Senders of events, and the refusals of their events: the same for all endpoints that receive events.
import type { Deps } from '../context.ts';
import { MAX_BATCH_BYTES } from '../contract/limits.ts';
import { OverloadedError } from '../errors.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { RefusedError } from '../ingest/refusedError.ts';
import type { Sender } from '../ingest/types.ts';
import { addressBehind } from './clientAddress.ts';
import { PREFLIGHT_HEADERS, PUBLIC_HEADERS } from './headers.ts';
import { createRefusals } from './refusals.ts';

/** Any page may send events, and the answers contain nothing confidential; a pixel may be embedded anywhere. */
export const EVENT_HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' };

export const EVENT_PREFLIGHT = { ...PREFLIGHT_HEADERS, 'Cache-Control': 'no-store' };

type TakingDeps = Pick<Deps, 'log' | 'now' | 'clock'> & {
  settings: Pick<Deps['settings'], 'trustedProxies' | 'maxBatchBytes'>;
};

/** Properties that identify a sender of events. */
export interface From {
  peer: string | undefined;
  forwarded: string | undefined;
  userAgent: string | undefined;
  /** Origin or referrer of the request. */
  referer: string | undefined;
}

export interface Taking {
  /** @param error Reason for the refusal of a batch. */
  refuse(error: unknown, requestId: string): Response;
  /** @param sendsFor Default: for itself. */
  senderOf(from: From, sendsFor?: Sender['sendsFor']): Sender;
  refusals: ReturnType<typeof createRefusals>;
  maxBatchBytes: number;
}

export function createTaking({ log, settings, now, clock = now }: TakingDeps): Taking {
  const refusals = createRefusals({ log, clock, headers: EVENT_HEADERS });
  return {
    refusals,
    maxBatchBytes: settings.maxBatchBytes ?? MAX_BATCH_BYTES,

    refuse(error, requestId) {
      if (error instanceof RefusedError) return refusals.refused(error.refusal, requestId);
      return refusals.unavailable(error instanceof OverloadedError ? undefined : error, requestId);
    },

    // The network is counted for every sender; the address itself is used only where permitted. The object is created
    // with all fields, including unknown ones: copies that add fields cost as much as parsing an event.
    senderOf({ peer, forwarded, userAgent = '', referer = '' }, sendsFor) {
      const ip = addressBehind(peer, forwarded, settings.trustedProxies);
      const source = prefixOf(ip);
      return { ip, source, userAgent, referer, sendsFor, visitorIp: undefined, reserved: 0, unread: 0 };
    },
  };
}
