// How far the tables follow behind the acknowledgements.
import { Histogram, type Registry } from 'prom-client';

/** Seconds: an insert takes some 20 ms, and small ones start 600 ms apart; under much traffic, more than a second. */
const BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** @returns Observes one file of the write-ahead log. */
export function createStorageDelay(registry: Registry): (seconds: number) => void {
  const delay = new Histogram({
    name: 'afterword_ingest_storage_delay_seconds',
    help: 'Seconds from the sync of events in the write-ahead log, when their senders are answered, until they are in the tables; of each insert its oldest events.',
    buckets: BUCKETS,
    registers: [registry],
  });
  return (seconds) => delay.observe(seconds);
}
