// Numbers of runs: what is kept of a day is written under the number of the run that made it, and the newest recorded
// run of a day counts.
import { randomInt } from 'node:crypto';
import type { Engine } from './engine.ts';
import type { Table } from './schema/table.ts';

/** A run that is not recorded after so many milliseconds was killed or overtaken. */
export const ABANDONED_MS = 3_600_000;
const RUNS_A_MS = 1_000;

/** The lowest number of a run that begins at a time, in epoch milliseconds. */
export const firstRunAt = (time: number): number => time * RUNS_A_MS;

/**
 * Number of a run that begins now: higher than the last one of its day, whatever the clock says, and hardly ever that
 * of another copy of the server that begins in the same millisecond.
 * @param last Number of the last run; 0: none.
 */
export const nextRun = (now: number, last: number): number =>
  Math.max(firstRunAt(now) + randomInt(RUNS_A_MS), last + 1);

/** A run of a day: neither another day nor another site is sure to have no run of the same number. */
export interface RunOfSite {
  site: string;
  day: string;
  run: string;
}

/** Removes the rows of some runs. */
export async function removeRuns(engine: Engine, { name }: Table, runs: readonly RunOfSite[]): Promise<void> {
  if (runs.length === 0) return;
  await engine.command(
    `ALTER TABLE ${name} DELETE WHERE run IN {runs:Array(UInt64)}
     AND concat(toString(site), ' ', toString(day), ' ', toString(run)) IN {named:Array(String)}`,
    { runs: runs.map(({ run }) => BigInt(run)), named: runs.map(({ site, day, run }) => `${site} ${day} ${run}`) },
  );
}
