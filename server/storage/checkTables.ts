// What the engine's own checksums say of the tables: parts whose files are not as they were written, and parts that
// were set aside.
import { type Engine, serversOf } from './engine.ts';

/** A part of a table: the files of some of its rows. */
export interface DamagedPart {
  table: string;
  part: string;
  /** What is wrong, in the engine's words. */
  why: string;
}

/** Every byte is read: a year of a large site takes minutes. */
const MAX_CHECK_SECONDS = 3_600;
const MAX_WHY = 200;

/**
 * Reads every file of every table, on each server of a cluster, and compares checksums.
 * @param only One table. Default: all.
 * @returns The parts that are damaged; none for a whole database.
 */
export async function findDamagedParts(engine: Engine, only = ''): Promise<DamagedPart[]> {
  const found = await Promise.all(serversOf(engine).map((server) => damagedOn(server, only)));
  return found.flat();
}

async function damagedOn(server: Engine, only: string): Promise<DamagedPart[]> {
  const tables = await server.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
       AND ({only:String} = '' OR name = {only:String}) ORDER BY name`,
    { only },
  );
  const damaged: DamagedPart[] = [];
  for (const { name: table } of tables) {
    // One thread: readers are answered meanwhile.
    const parts = await server.rows<{ part_path: string; is_passed: number | boolean; message: string }>(
      `CHECK TABLE \`${table}\` SETTINGS check_query_single_value_result = 0, max_threads = 1`,
      {},
      { maxSeconds: MAX_CHECK_SECONDS },
    );
    for (const { part_path: part, is_passed: whole, message } of parts) {
      if (!whole) damaged.push({ table, part, why: shortened(message) });
    }
  }
  return damaged;
}

/** The first sentence, and the name of the error: the engine continues with what may be behind it. */
function shortened(message: string): string {
  const [sentence = ''] = message.replace(/^Code: \d+\. DB::Exception: /, '').split(/\. | \([A-Z_]+\)/);
  const name = /\(([A-Z_]+)\) \(version/.exec(message)?.[0].replace(' (version', '') ?? '';
  return `${sentence.slice(0, MAX_WHY)} ${name}`.trim();
}

/**
 * Parts the engine could not read when it opened the tables, or that were set aside since: their rows are in no answer.
 * A question about names of folders, answered at once.
 */
export async function findPartsSetAside(engine: Engine): Promise<DamagedPart[]> {
  const found = await Promise.all(
    serversOf(engine).map((server) =>
      server.rows<DamagedPart>(
        `SELECT table, name AS part, if(reason = '', 'set aside', reason) AS why FROM system.detached_parts
         WHERE database = currentDatabase() AND (reason = '' OR reason LIKE 'broken%') ORDER BY table, part`,
      ),
    ),
  );
  return found.flat();
}

/** For an error or a line of the log: `events, part 202611_1_1_0: …`. */
export const describeParts = (parts: readonly DamagedPart[]): string =>
  parts.map(({ table, part, why }) => `table ${table}, part ${part}: ${why}`).join('; ');
