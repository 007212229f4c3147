// Counts requests and how long their answers take, around any listener. Counts are kept in plain numbers and turned
// into Prometheus' format only when the metrics are read: on the way of a request prom-client's own bookkeeping would
// cost several times as much (it makes a text of the labels each time).
import type { RequestListener } from 'node:http';
import { Counter, Histogram, type Registry } from 'prom-client';
import { outcomeOf } from '../http/outcome.ts';

const TOTAL = {
  name: 'afterword_http_requests_total',
  help: 'Answers by route and outcome: the code in the body, else the HTTP status; aborted: the client closed the connection.',
};
const DURATION = {
  name: 'afterword_http_request_duration_seconds',
  help: 'Seconds from the end of the request head to the end of the answer.',
};
/**
 * Upper bounds in seconds, ascending. Lists from memory take well under a millisecond, questions to the engine up to
 * its limit of 15 s.
 */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Answers of one route. */
interface Tally {
  outcomes: Map<number | string, number>;
  /** One count more than there are bounds: the last is for what took longer. */
  buckets: Float64Array;
  seconds: number;
}

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
  const tallies = new Map<string, Tally>();
  exposeTotal(registry, tallies);
  exposeDuration(registry, tallies);

  function add(route: string, outcome: number | string, seconds: number): void {
    let tally = tallies.get(route);
    if (tally === undefined) {
      tally = { outcomes: new Map(), buckets: new Float64Array(BUCKETS.length + 1), seconds: 0 };
      tallies.set(route, tally);
    }
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
    tally.seconds += seconds;
    let at = 0;
    while (at < BUCKETS.length && seconds > BUCKETS[at]!) at++;
    tally.buckets[at]!++;
  }

  return (listener) => (request, response) => {
    const start = clock();
    response.once('close', () => {
      const outcome = response.writableFinished ? (outcomeOf(response) ?? response.statusCode) : 'aborted';
      add(routeOf(request.url ?? ''), outcome, (clock() - start) / 1000);
    });
    listener(request, response);
  };
}

function exposeTotal(registry: Registry, tallies: ReadonlyMap<string, Tally>): void {
  new Counter({
    ...TOTAL,
    labelNames: ['route', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { outcomes }] of tallies) {
        for (const [outcome, count] of outcomes) this.inc({ route, outcome }, count);
      }
    },
  });
}

function exposeDuration(registry: Registry, tallies: ReadonlyMap<string, Tally>): void {
  const histogram = new Histogram({ ...DURATION, labelNames: ['route'], buckets: BUCKETS, registers: [registry] });
  const get = async () => ({
    ...DURATION,
    type: 'histogram' as const,
    aggregator: 'sum' as const,
    values: [...tallies].flatMap(([route, tally]) => toSamples(route, tally)),
  });
  // `getForPromString` is what the registry asks for its text, where a metric has it.
  Object.assign(histogram, { get, getForPromString: get });
}

function toSamples(route: string, { buckets, seconds }: Tally) {
  let count = 0;
  const upTo = (le: number | string, at: number) => {
    count += buckets[at]!;
    return { labels: { le, route }, value: count, metricName: `${DURATION.name}_bucket` };
  };
  return [
    ...BUCKETS.map(upTo),
    upTo('+Inf', BUCKETS.length),
    { labels: { route }, value: seconds, metricName: `${DURATION.name}_sum` },
    { labels: { route }, value: count, metricName: `${DURATION.name}_count` },
  ];
}
