// What the doors answer when they do not take a batch: a status that existing senders understand, and a sentence for whoever
// looks why. Nothing of a refused batch was stored, so it can be sent again as it is.
import type { Logger } from 'pino';
import type { Refusal } from '../ingest/refusedError.ts';
import { createLogThrottle } from '../logThrottle.ts';
import { RETRY_AFTER_READABLE } from './headers.ts';

/** Seconds to wait while nothing can be written. */
const RETRY_AFTER = 5;
/** Milliseconds between two log lines about refused batches. */
const LOG_PAUSE_MS = 5_000;

export interface RefusalsOptions {
  log: Logger;
  /** Monotonic milliseconds. */
  clock(): number;
  /** Of every answer. */
  headers: Record<string, string>;
}

export function createRefusals({ log, clock, headers }: RefusalsOptions) {
  const throttle = createLogThrottle(LOG_PAUSE_MS, clock);

  function complain(about: string, details: object): void {
    if (throttle.pass(about) !== undefined) log.warn(details, about);
  }

  function answer(code: number, message: string, more: Record<string, string> = {}): Response {
    return Response.json({ code, message, success: false }, { status: code, headers: { ...headers, ...more } });
  }

  /** One that the log may tell of. */
  function comeAgain(code: number, message: string, { seconds, requestId }: { seconds: number; requestId: string }) {
    return answer(code, message, {
      'Retry-After': String(seconds),
      ...RETRY_AFTER_READABLE,
      'X-Request-Id': requestId,
    });
  }

  return {
    refused(refusal: Refusal, requestId: string): Response {
      if (refusal.reason === 'too-many-events') {
        return answer(422, `A batch has at most ${refusal.limit} events: send the others in another one.`);
      }
      const { reason, site, waitMs } = refusal;
      const seconds = Math.max(1, Math.ceil(waitMs / 1000));
      if (reason === 'over-events-quota') {
        const message = `${site} takes ${refusal.limit} events a day, and has had them: send this again in ${seconds} s.`;
        return comeAgain(429, message, { seconds, requestId });
      }
      complain('events refused: more than the rate allows', { reason, site, requestId });
      const whose = reason === 'rate-limited' ? 'from this network of addresses' : `for the site ${site}`;
      return comeAgain(429, `Too many events ${whose}: send this again in ${seconds} s.`, { seconds, requestId });
    },

    tooLarge(bytes: number): Response {
      return answer(413, `A batch has at most ${bytes} bytes: send its events in smaller ones.`);
    },

    coded(coding: string): Response {
      return answer(
        415,
        `Content-Encoding ${JSON.stringify(coding.slice(0, 40))} is not read: send the batch as it is.`,
      );
    },

    /** @param fault What went wrong with us; undefined where the engine, the spool or the queue had no room. */
    unavailable(fault: unknown, requestId: string): Response {
      if (fault !== undefined) log.error({ err: fault, requestId }, 'events were not taken');
      else
        complain('events refused: neither the database nor the spool has room, or the server is stopping', {
          requestId,
        });
      const seconds = RETRY_AFTER;
      return comeAgain(503, `Events cannot be stored now: send them again in ${seconds} s.`, { seconds, requestId });
    },
  };
}
