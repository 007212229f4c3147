// Counts requests and how long their answers take, around any listener.
import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import { outcomeOf } from '../http/outcome.ts';
import { createTally } from './tally.ts';

/** Seconds. Lists from memory take well under a millisecond, questions to the engine up to its limit of 15 s. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The same listener, its answers counted.
 * @param clock Milliseconds that never go back.
 * @param routeOf Name of a raw target.
 */
export function countRequests(
  registry: Registry,
  clock: () => number,
  routeOf: (target: string) => string,
): (listener: RequestListener) => RequestListener {
  const tally = createTally(registry, {
    total: {
      name: 'afterword_http_requests_total',
      help: 'Answers by route and outcome: the code in the body, else the HTTP status; aborted: the client closed the connection.',
    },
    duration: {
      name: 'afterword_http_request_duration_seconds',
      help: 'Seconds from the end of the request head to the end of the answer.',
    },
    buckets: BUCKETS,
  });

  return (listener) => (request, response) => {
    const start = clock();
    response.once('close', () => {
      const outcome = response.writableFinished ? (outcomeOf(response) ?? response.statusCode) : 'aborted';
      tally.add(routeOf(request.url ?? ''), outcome, (clock() - start) / 1000);
    });
    listener(request, response);
  };
}
