// Acknowledged events that are in no table: the files they are in are read when the metrics are requested, so figures
// outlive a restart.
import { Counter, type Registry } from 'prom-client';
import type { SpoolFile } from '../ingest/queue/spool.ts';
import type { Ingest } from '../ingest/types.ts';
import { gaugesOf } from './gauge.ts';
import { oneReading } from './oneReading.ts';

export function watchSpool(registry: Registry, ingest: Pick<Ingest, 'backlog' | 'spool'>): void {
  const registers = [registry];
  const ask = oneReading(async () => await ingest.spool?.report());

  const gauge = gaugesOf(registry);

  function ofKind(kind: SpoolFile['kind'], count: (files: readonly SpoolFile[]) => number): () => Promise<number> {
    return async () => {
      const report = await ask();
      if (report === undefined) return ingest.spool === undefined ? 0 : Number.NaN;
      return count(report.files.filter((file) => file.kind === kind));
    };
  }
  const events = (files: readonly SpoolFile[]) => files.reduce((sum, file) => sum + (file.events ?? 0), 0);
  const files = ({ length }: readonly SpoolFile[]) => length;

  gauge(
    'afterword_spool_refused_events',
    'Acknowledged events the database refused: afterword spool retry.',
    ofKind('refused', events),
  );
  gauge('afterword_spool_refused_files', 'Files of those events.', ofKind('refused', files));
  gauge(
    'afterword_spool_damaged_events',
    'Acknowledged events that were damaged on the disk, and are not counted.',
    ofKind('damaged', events),
  );
  gauge('afterword_spool_damaged_files', 'Files with what is left of them.', ofKind('damaged', files));
  gauge(
    'afterword_spool_unreadable_files',
    'Files of the spool that are not understood: damaged at their beginning, or of a newer version.',
    ofKind('unreadable', files),
  );
  gauge(
    'afterword_spool_retrying_files',
    'Files of the spool that cannot be used now (no descriptor left, a failing disk), and are tried again.',
    () => ingest.backlog().retrying.files,
  );
  gauge('afterword_spool_retrying_events', 'Events in those files.', () => ingest.backlog().retrying.events);
  new Counter({
    name: 'afterword_spool_unfinished_events_total',
    help: 'Events that were being written when an earlier process ended, and were not acknowledged.',
    registers,
    async collect() {
      this.reset();
      this.inc((await ask())?.unfinished ?? 0);
    },
  });
}
