// What an operator watches, in Prometheus' text format: one registry per server, nothing global.
import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ConnectionCounts } from '../http/connections.ts';
import type { EngineMeter } from '../storage/meteredEngine.ts';
import { watchConnections } from './connections.ts';
import { createEngineMeter } from './engine.ts';
import { type WatchedInstallation, watchInstallation } from './installation.ts';
import { countRequests } from './requests.ts';
import { createRouteNames } from './routes.ts';
import { type Watched, watchState } from './state.ts';
import { createStorageDelay } from './storageDelay.ts';

export interface Metrics {
  /** The same listener, its answers counted. */
  counted(listener: RequestListener): RequestListener;
  engine: EngineMeter;
  /** Observes the seconds from the sync of events in the write-ahead log until they are in the tables. */
  stored(seconds: number): void;
  /** From now on the parts are read too, on each request of the metrics. To be called once. */
  watch(parts: Watched): void;
  /** As `watch`, for the connections, which are there before the parts are. To be called once. */
  watchConnections(counts: () => ConnectionCounts): void;
  /** As `watch`, for the process and its machine. To be called once. */
  watchInstallation(parts: WatchedInstallation): void;
  /** Everything, as text, and its content type. */
  read(): Promise<{ text: string; type: string }>;
}

interface MetricsOptions {
  /** Milliseconds that never go back. */
  clock(): number;
  /** Paths of all routes, which requests are counted by. */
  paths: readonly string[];
}

/**
 * The event loop is woken so often to measure its delay. Every 10 ms, the default, took half a percent of a core while
 * nothing happened; a delay shorter than this slows no reader. It is the smallest value that the metrics show.
 */
const LAG_PRECISION_MS = 50;

export function createMetrics({ clock, paths }: MetricsOptions): Metrics {
  const registry = new Registry();
  // Memory, processor time, file descriptors, collections of garbage, delay of the event loop.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  // Gauges whose names say that they are counters; those by type, without `_total`, say the same.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  return {
    counted: countRequests(registry, clock, createRouteNames(paths)),
    engine: createEngineMeter(registry, clock),
    stored: createStorageDelay(registry),
    watch: (parts) => watchState(registry, parts),
    watchConnections: (counts) => watchConnections(registry, counts),
    watchInstallation: (parts) => watchInstallation(registry, parts),
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}
