// Who sends events, and what a sender is answered whose events are not taken: alike on every way events come in.
import type { Deps } from '../context.ts';
import { MAX_BATCH_BYTES } from '../contract/limits.ts';
import { OverloadedError } from '../errors.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { RefusedError } from '../ingest/refusedError.ts';
import type { Sender } from '../ingest/types.ts';
import { addressBehind } from './clientAddress.ts';
import { PREFLIGHT_HEADERS, PUBLIC_HEADERS } from './headers.ts';
import { createRefusals } from './refusals.ts';

/** Any page may report, none may read anything back that it could not know; a pixel may be shown anywhere. */
export const EVENT_HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' };

export const EVENT_PREFLIGHT = { ...PREFLIGHT_HEADERS, 'Cache-Control': 'no-store' };

type TakingDeps = Pick<Deps, 'log' | 'now' | 'clock'> & {
  settings: Pick<Deps['settings'], 'trustedProxies' | 'maxBatchBytes'>;
};

/** What a sender of events is told apart by. */
export interface From {
  peer: string | undefined;
  forwarded: string | undefined;
  userAgent: string | undefined;
  /** Origin or referrer of the request. */
  referer: string | undefined;
}

export interface Taking {
  /** @param error Why a batch was not taken. */
  refuse(error: unknown, requestId: string): Response;
  /** @param speaksFor Default: for itself. */
  senderOf(from: From, speaksFor?: Sender['speaksFor']): Sender;
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

    // The network is counted for every sender; the address itself is used only where it may be. All fields, also those
    // that are not known yet: copies that add fields cost as much as reading an event.
    senderOf({ peer, forwarded, userAgent = '', referer = '' }, speaksFor) {
      const ip = addressBehind(peer, forwarded, settings.trustedProxies);
      const source = prefixOf(ip);
      return { ip, source, userAgent, referer, speaksFor, visitorIp: undefined, reserved: 0, unread: 0 };
    },
  };
}
