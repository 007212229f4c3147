// What is kept of days, under runs: the rows of a day are written under the number of the run that made them, then the
// run is recorded, which is when they count: the newest recorded run of a day does. So a run may be killed anywhere,
// repeated, or done by two copies of the server at the same time.
import { randomInt } from 'node:crypto';
import { HOUR } from '../durations.ts';
import type { TrafficQuery } from '../traffic/query.ts';
import type { Engine } from './engine.ts';
import type { Table } from './schema/table.ts';

/** A run that is not recorded after so many milliseconds was killed or overtaken. */
const ABANDONED_MS = HOUR;
const RUNS_A_MS = 1_000;
/**
 * The statements of a day with 1.7 million events were measured to take longer than the 15 seconds of a question of a
 * reader, on two busy cores. They are repeated at each run until they succeed: with that limit, both runs failed there.
 */
const MAX_RUN_SECONDS = 600;

/** The lowest number of a run that begins at a time, in epoch milliseconds. */
export const firstRunAt = (time: number): number => time * RUNS_A_MS;

/** When a run began, in epoch milliseconds. */
export const beginOf = (run: number): number => Math.floor(run / RUNS_A_MS);

/**
 * Number of a run that begins now: higher than the last one of its day, whatever the clock says, and hardly ever that
 * of another copy of the server that begins in the same millisecond.
 * @param last Number of the last run; 0: none.
 */
const nextRun = (now: number, last: number): number => Math.max(firstRunAt(now) + randomInt(RUNS_A_MS), last + 1);

export interface Runs {
  /**
   * Writes the rows of a day and records the run.
   * @param compile A statement for each table of rows, in order, given the number of the run.
   * @param record What is recorded beside the day and the run.
   */
  write(
    siteDay: { site: string; day: string },
    now: number,
    compile: (run: number) => readonly TrafficQuery[],
    record: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Removes rows of runs that count no more. */
  removeSuperseded(now: number): Promise<void>;
}

/** A table of what is kept. */
export interface KeptRows {
  /** It has a column `run`. */
  table: Table;
  /** Its columns, in the order of the statements that are written. */
  columns: readonly string[];
  /** Begins the deduplication token of each insert. */
  token: string;
}

/** @param of.days Table of the recorded runs: `site`, `day` and `run`. */
export function createRuns(engine: Engine, { rows, days }: { rows: readonly KeptRows[]; days: Table }): Runs {
  const last = `SELECT max(run) AS run FROM ${days.name} WHERE site = {site:String} AND day = {day:Date}`;
  const supersededIn = (
    table: Table,
  ) => `SELECT toString(kept.site) AS site, toString(kept.day) AS day, toString(kept.run) AS run
FROM (SELECT DISTINCT site, day, run FROM ${table.name} WHERE run < {before:UInt64}) AS kept
LEFT ANTI JOIN (SELECT site, day, run FROM ${days.name} FINAL) AS recorded
  ON recorded.site = kept.site AND recorded.day = kept.day AND recorded.run = kept.run`;

  return {
    async write({ site, day }, now, compile, record) {
      const [found] = await engine.rows<{ run: number }>(last, { site, day });
      const run = nextRun(now, found?.run ?? 0);
      const queries = compile(run);
      for (const [at, { table, columns, token }] of rows.entries()) {
        const { sql, params } = queries[at]!;
        const bytes = await engine.lines(sql, params, { format: 'TabSeparated', maxSeconds: MAX_RUN_SECONDS });
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        await engine.insert(table.name, { columns, text }, `${token}-${site}-${day}-${run}`);
      }
      await engine.insert(days.name, [{ site, day, run, ...record }]);
    },

    async removeSuperseded(now) {
      const before = firstRunAt(now - ABANDONED_MS);
      for (const { table } of rows) {
        const found = await engine.rows<{ site: string; day: string; run: string }>(supersededIn(table), { before });
        if (found.length === 0) continue;
        // Another day, or another site, may have a run of the same number.
        const names = found.map(({ site, day, run }) => `${site} ${day} ${run}`);
        await engine.command(
          `ALTER TABLE ${table.name} DELETE
           WHERE concat(toString(site), ' ', toString(day), ' ', toString(run)) IN {names:Array(String)}`,
          { names },
        );
      }
    },
  };
}
