// Everything of one database into another, empty one: the engine inside, a server, or a cluster, in either direction,
// while nothing uses the first. Roll-ups are copied as they are, so that answers are the same to the last digit. Broken
// off anywhere, the same command continues.
import type { Logger } from 'pino';
import { checkLayout } from './clusterLayout.ts';
import { connect, type EngineOptions } from './connect.ts';
import { refuseLiveCopies } from './copies.ts';
import { type Copying, copyAll, type MoveReport } from './copyPieces.ts';
import { type Engine, serversOf } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { identityOf, keeperOf, openTarget, placesOf, prepareTarget, type Side, stepsOf } from './moveTarget.ts';
import { removalsEnded } from './openMutations.ts';
import { refuseUnfinishedRestore } from './restore.ts';
import { VERSION } from './schema/schema.ts';
import { readVersions } from './schema/version.ts';
import { rowTables } from './stage.ts';

export interface MoveOptions {
  from: EngineOptions;
  /** Empty, or what an earlier run from the same source left. */
  to: EngineOptions;
  log: Logger;
  now: () => number;
  progress?: Copying['progress'];
}

const REMEDY = 'Stop every copy of the server, and run the same command again, which continues.';

/**
 * @throws {EngineOpenError} when one of them cannot be used, the target is not empty, or the source is in use or
 * changes meanwhile.
 */
export async function move({ from, to, log, now, progress = () => undefined }: MoveOptions): Promise<MoveReport> {
  const origin = await connect(from, log);
  try {
    const source = await openSource(origin);
    await removalsEnded(origin, { waiting: (note) => progress(0, 1, note) });
    const destination = await connect(to, log);
    try {
      const target = await prepareTarget(destination, { log, now, source: await identityOf(origin) });
      if ((await stepsOf(keeperOf(target), 'live')).size > 0)
        throw new EngineOpenError(
          'A move of the same database while its server ran was begun into this one: start the server and finish it, or name an empty database.',
        );
      const report = await copyAll({ source, target, now, progress, remedy: REMEDY });
      await openTarget(destination);
      return report;
    } finally {
      await destination.close();
    }
  } finally {
    await origin.close();
  }
}

async function openSource(engine: Engine): Promise<Side> {
  for (const server of serversOf(engine)) await refuseUnfinishedRestore(server);
  await checkLayout(engine);
  const versions = await readVersions(engine);
  if (versions.includes(0)) throw new EngineOpenError('There is no database to move.');
  if (versions.some((version) => version < VERSION))
    throw new EngineOpenError('The database to move is of an earlier version: run afterword migrate on it first.');
  const places = await placesOf(engine);
  await refuseLiveCopies(places.map(({ server }) => server));
  return { engine, places, tables: rowTables(engine) };
}
