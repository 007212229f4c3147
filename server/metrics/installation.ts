// What an alert looks at first: does this copy take events, does its database answer, is there room on the disk, is
// there a backup.
import { Gauge, type Registry } from 'prom-client';
import { gaugesOf } from './gauge.ts';

export interface WatchedInstallation {
  version: string;
  /** What `/readyz` says. */
  readiness(): Promise<{ ready: boolean; reads: string }>;
  /** Bytes left on the disk of the data folder. */
  freeBytes(): Promise<number>;
  /** Files that may still be made on it. */
  freeFiles(): Promise<number>;
  /** Epoch milliseconds of the last backup; undefined where none is known. */
  lastBackup(): Promise<number | undefined>;
}

export function watchInstallation(
  registry: Registry,
  { version, readiness, freeBytes, freeFiles, lastBackup }: WatchedInstallation,
): void {
  const gauge = gaugesOf(registry);
  // One figure that cannot be read must not cost the others.
  const now = (name: string, help: string, read: () => Promise<number>) =>
    gauge(name, help, () => read().catch(() => Number.NaN));

  new Gauge({
    name: 'afterword_build_info',
    help: '1; the labels say which version runs, on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    collect() {
      this.set({ version, node: process.versions.node }, 1);
    },
  });
  now('afterword_ready', '1 while events are taken, as /readyz says; else 0.', async () =>
    Number((await readiness()).ready),
  );
  now('afterword_engine_up', '1 while the database answers; else 0.', async () =>
    Number((await readiness()).reads === 'database'),
  );
  now('afterword_data_free_bytes', 'Bytes left on the disk of the data folder.', freeBytes);
  now(
    'afterword_data_free_files',
    'Files that may still be made on that disk (inodes); +Inf where their number has no bound.',
    freeFiles,
  );
  now(
    'afterword_last_backup_timestamp_seconds',
    'When the last backup by afterword backup was made, in Unix time; 0 where none is known.',
    async () => ((await lastBackup()) ?? 0) / 1000,
  );
}
