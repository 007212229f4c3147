// Counts what is asked of the database, and how long it takes.
import { Histogram, type Registry } from 'prom-client';
import type { EngineMeter } from '../storage/meteredEngine.ts';

/** Seconds: a look-up takes 3 ms, an insert with its fsync 10 ms. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param clock Milliseconds that never go back. */
export function createEngineMeter(registry: Registry, clock: () => number): EngineMeter {
  const seconds = new Histogram({
    name: 'afterword_engine_duration_seconds',
    help: 'Seconds a statement took, waiting for its turn included.',
    labelNames: ['kind', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (kind) => {
    const start = clock();
    return (outcome) => seconds.observe({ kind, outcome }, (clock() - start) / 1000);
  };
}
