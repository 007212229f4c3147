// What is compared when rows were written to a database while it was copied: every table, and of those by months the
// months that rows came to.
import { type Copying, compare, type MoveReport } from './copyPieces.ts';
import { EngineOpenError } from './errors.ts';
import { keeperOf, type Side, stepsOf } from './moveTarget.ts';

type Moved = Pick<Copying, 'source' | 'target' | 'progress' | 'remedy'>;

/**
 * Nothing may be written meanwhile.
 * @returns Rows of the tables that are compared as a whole, and of the events.
 * @throws {EngineOpenError} when something is not the same in both.
 */
export async function compareMoved(moving: Moved): Promise<MoveReport> {
  const { source, target, progress } = moving;
  await forgetSalts(moving);
  const touched = [...(await stepsOf(keeperOf(target), 'touched'))];
  const rows: MoveReport = {};
  for (const [at, table] of source.tables.entries()) {
    progress(at, source.tables.length, `comparing ${table.name}`);
    // A month that nothing came to was compared when it was copied.
    const ids = table.partition === undefined ? undefined : touched;
    if (ids?.length === 0) continue;
    const compared = await compare(moving, table, ids);
    if (ids === undefined) rows[table.name] = compared;
  }
  return { events: await compareEvents(moving), ...rows };
}

async function compareEvents({ source, target, remedy }: Moved): Promise<number> {
  const count = async ({ engine }: Side) =>
    Number((await engine.rows<{ n: number }>('SELECT count() AS n FROM events'))[0]!.n);
  const [before, after] = await Promise.all([count(source), count(target)]);
  if (before !== after) throw new EngineOpenError(`There are ${before} events, and ${after} came out. ${remedy}`);
  return before;
}

/** Salts of days that are over were erased in the source meanwhile, and must not stay in the target. */
async function forgetSalts({ source, target }: Moved): Promise<void> {
  const of = async ({ engine }: Side) =>
    (await engine.rows<{ date: string }>('SELECT DISTINCT toString(day) AS date FROM salts')).map(({ date }) => date);
  const left = await of(source);
  if ((await of(target)).every((date) => left.includes(date))) return;
  await target.engine.command('ALTER TABLE salts DELETE WHERE toString(day) NOT IN {left:Array(String)}', { left });
}
