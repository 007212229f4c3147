// Answers to refused batches: a status that existing senders support, and a message with the reason. No event of a
// refused batch is stored, so the batch can be retried unchanged.
import type { Logger } from 'pino';
import { createFailureLog } from '../failureLog.ts';
import type { Refusal } from '../ingest/refusedError.ts';
import { createLogThrottle } from '../logThrottle.ts';
import { RETRY_AFTER_READABLE } from './headers.ts';

/** Retry-After while events cannot be stored, in seconds. */
const RETRY_AFTER = 5;
/** Milliseconds between two log lines about refused batches. */
const LOG_PAUSE_MS = 5_000;

export interface RefusalsOptions {
  log: Logger;
  /** Monotonic milliseconds. */
  clock(): number;
  /** Headers of every answer. */
  headers: Record<string, string>;
}

export function createRefusals({ log, clock, headers }: RefusalsOptions) {
  const throttle = createLogThrottle(LOG_PAUSE_MS, clock);
  const failures = createFailureLog(log, clock);

  function complain(about: string, details: object): void {
    if (throttle.pass(about) !== undefined) log.warn(details, about);
  }

  function answer(code: number, message: string, more: Record<string, string> = {}): Response {
    return Response.json({ code, message, success: false }, { status: code, headers: { ...headers, ...more } });
  }

  /** A refusal that may be retried. It carries the id of the request, since the log may mention it. */
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

    /** @param fault The internal error; undefined where the engine, the spool or the queue is full. */
    unavailable(fault: unknown, requestId: string): Response {
      if (fault !== undefined) failures.add('take events', fault, 'events were not taken', { requestId });
      else
        complain('events refused: neither the database nor the spool has room, or the server is stopping', {
          requestId,
        });
      const seconds = RETRY_AFTER;
      return comeAgain(503, `Events cannot be stored now: send them again in ${seconds} s.`, { seconds, requestId });
    },

    /** Logs why a batch gets no answer. */
    unanswered(fault: unknown): void {
      failures.add('answer events', fault, 'a batch of events could not be answered');
    },
  };
}
