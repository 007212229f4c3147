// Counts and durations by route, kept in plain numbers and turned into Prometheus' format only on request: on the way
// of a request prom-client's own bookkeeping would cost several times as much (it makes a text of the labels each
// time).
import { Counter, Histogram, type Registry } from 'prom-client';

export interface Tally {
  /** @param seconds How long it took. */
  add(route: string, outcome: number | string, seconds: number): void;
}

export interface TallyNames {
  total: { name: string; help: string };
  duration: { name: string; help: string };
  /** Upper bounds in seconds, ascending. */
  buckets: readonly number[];
}

interface OfRoute {
  outcomes: Map<number | string, number>;
  /** One count more than there are bounds: the last is for what took longer. */
  buckets: Float64Array;
  seconds: number;
}

export function createTally(registry: Registry, { total, duration, buckets }: TallyNames): Tally {
  const routes = new Map<string, OfRoute>();

  new Counter({
    ...total,
    labelNames: ['route', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { outcomes }] of routes) {
        for (const [outcome, count] of outcomes) this.inc({ route, outcome }, count);
      }
    },
  });
  const histogram = new Histogram({ ...duration, labelNames: ['route'], buckets: [...buckets], registers: [registry] });
  const get = async () => ({
    ...duration,
    type: 'histogram' as const,
    aggregator: 'sum' as const,
    values: [...routes].flatMap(([route, tally]) => toSamples(duration.name, route, tally)),
  });
  // `getForPromString` is what the registry asks for its text, where a metric has it.
  Object.assign(histogram, { get, getForPromString: get });

  function toSamples(name: string, route: string, tally: OfRoute) {
    let count = 0;
    const upTo = (le: number | string, at: number) => {
      count += tally.buckets[at]!;
      return { labels: { le, route }, value: count, metricName: `${name}_bucket` };
    };
    return [
      ...buckets.map(upTo),
      upTo('+Inf', buckets.length),
      { labels: { route }, value: tally.seconds, metricName: `${name}_sum` },
      { labels: { route }, value: count, metricName: `${name}_count` },
    ];
  }

  return {
    add(route, outcome, seconds) {
      let tally = routes.get(route);
      if (tally === undefined) {
        tally = { outcomes: new Map(), buckets: new Float64Array(buckets.length + 1), seconds: 0 };
        routes.set(route, tally);
      }
      tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
      tally.seconds += seconds;
      let at = 0;
      while (at < buckets.length && seconds > buckets[at]!) at++;
      tally.buckets[at]!++;
    },
  };
}
