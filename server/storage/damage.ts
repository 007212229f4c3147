// Parts of the embedded engine that cannot be read. The engine itself sets aside (in `detached/` of a table) what it
// cannot open; damage that shows only when rows are read would end the start, so such a part is set aside, too.
import type { Logger } from 'pino';
import { type DamagedPart, describeParts, findDamagedParts, findPartsSetAside } from './checkTables.ts';
import type { Engine } from './engine.ts';
import { engineCode } from './errors.ts';

/** Names of the engine's errors that concern the bytes of a file; others (too many open files, no memory) may pass. */
const OF_BYTES =
  /\((?:CHECKSUM_DOESNT_MATCH|CORRUPTED_DATA|UNKNOWN_CODEC|CANNOT_DECOMPRESS|BAD_SIZE_OF_FILE_IN_DATA_PART|NO_FILE_IN_DATA_PART|UNEXPECTED_FILE_IN_DATA_PART|CANNOT_READ_ALL_DATA|ATTEMPT_TO_READ_AFTER_EOF)\)/;

/**
 * Runs a question of the start. Where it fails by damaged parts of a table, they are set aside and it is asked once
 * more. Nothing is deleted: `ALTER TABLE … ATTACH PART` takes a mended part back.
 */
export async function withoutDamagedParts<T>(
  question: () => Promise<T>,
  { engine, table, log }: { engine: Engine; table: string; log: Logger },
): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!engine.folders || engineCode(error) === undefined) throw error;
    const damaged = (await findDamagedParts(engine, table)).filter(({ why }) => OF_BYTES.test(why));
    if (damaged.length === 0) throw error;
    for (const { part } of damaged) await engine.command(`ALTER TABLE ${table} DETACH PART '${part}'`);
    log.error({ parts: damaged }, `damaged parts are set aside: ${describeParts(damaged)}`);
    return await question();
  }
}

/** Says in the log which parts are set aside, however long ago. */
export async function reportPartsSetAside(engine: Engine, log: Logger): Promise<void> {
  const parts: DamagedPart[] = await findPartsSetAside(engine);
  if (parts.length === 0) return;
  log.error(
    { parts },
    `rows are in no answer, because their parts are damaged and set aside: ${describeParts(parts)}; restore a backup, or see afterword doctor`,
  );
}
