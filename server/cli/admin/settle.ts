// Waits until the events that were acknowledged before a command are in the tables, where it works.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../context.ts';
import type { Spool } from '../../ingest/queue/spool.ts';

/** Absent where a command opened the data: the log waits for a server then. */
export interface SettleDeps {
  ingest?: Pick<Deps['ingest'], 'backlog'>;
  spool?: Pick<Spool, 'report'> | undefined;
}

/** What was acknowledged before has this long to reach the tables. */
const PATIENCE_MS = 15_000;
const STEP_MS = 100;
/** What senders still wait for is in a file by then. */
const GATHERED_MS = 2_000;

/**
 * Resolves when the events that came before are in the tables, or after 15 s.
 * @returns How many acknowledged events still wait: some may have come since.
 */
export async function settle({ ingest, spool }: SettleDeps): Promise<number> {
  if (ingest === undefined) return (await spool?.report())?.waiting.events ?? 0;
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    const { waiting, spooledGroups, spooledFor } = ingest.backlog();
    if (waiting === 0 && spooledGroups === 0) return 0;
    if (waited >= GATHERED_MS && spooledFor < waited - GATHERED_MS) return 0;
    await sleep(STEP_MS);
  }
  const { waiting, spooledEvents } = ingest.backlog();
  return waiting + spooledEvents;
}

/** Files of acknowledged events that no erasure reaches: the database refused them, or they are damaged. */
export interface SetAside {
  folder: string;
  files: number;
}

/** @returns undefined where there is none. */
export async function findSetAside({ spool }: Pick<SettleDeps, 'spool'>): Promise<SetAside | undefined> {
  const report = await spool?.report();
  return report && report.files.length > 0 ? { folder: report.folder, files: report.files.length } : undefined;
}
