// A cut through a database that is in use: the rows it has then, as hard links to their files, and every row that is
// written afterwards, collected by materialised views in tables of their own. Both are on the source, so that a move
// that is broken off finds them again. Tables that other views fill are in the first only: the rows they are made of
// make them again.
//
// Later rows are collected in rounds: a round that is over does not change any more, and is copied as a whole.
import type { Engine } from './engine.ts';
import type { Place } from './moveTarget.ts';
import { SCHEMA } from './schema/schema.ts';
import { durabilitySql } from './schema/statements.ts';
import { CUT_TABLE, createStage, dropStages, partitionsOf, type RowTable, STAGE } from './stage.ts';

const BASE = `${STAGE}base_`;

export interface Cut {
  id: string;
  /** Rows that are written now are of this round, from 1. */
  round: number;
}

const later = ({ name }: RowTable) => `${STAGE}later_${name}`;
const view = ({ name }: RowTable) => `${STAGE}view_${name}`;

/** The same tables, as they were at the cut. */
export const baseOf = (tables: readonly RowTable[]): RowTable[] =>
  tables.map((table) => ({ ...table, local: BASE + table.name }));

/** @returns undefined where there is none, or it was not finished. */
export async function readCut([first]: readonly Place[]): Promise<Cut | undefined> {
  const { server } = first!;
  if (!(await hasCut(server))) return undefined;
  const [row] = await server.rows<Cut>(
    `SELECT any(id) AS id, max(round) AS round FROM ${CUT_TABLE} HAVING count() > 0`,
  );
  return row;
}

/** Whether a move was begun, and not ended. */
export async function hasCut(server: Engine): Promise<boolean> {
  const found = await server.rows(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = '${CUT_TABLE}'`,
  );
  return found.length > 0;
}

/** Tables that no view fills. */
export function writtenTables(tables: readonly RowTable[]): RowTable[] {
  const filled = new Set(SCHEMA.tables.filter(({ views }) => views !== undefined).map(({ name }) => name));
  return tables.filter(({ name }) => !filled.has(name));
}

export interface Cutting {
  places: readonly Place[];
  tables: readonly RowTable[];
  written: readonly RowTable[];
  id: string;
}

/** Makes what a cut needs, and nothing that changes the source. What an earlier one left is removed. */
export async function prepareCut({ places, tables, written }: Cutting): Promise<void> {
  for (const { server } of places) {
    await dropStages(server);
    for (const table of tables) await createStage(server, { ...table, stage: BASE + table.name });
    for (const table of written) {
      await server.command(
        `CREATE TABLE ${later(table)} ENGINE = MergeTree PARTITION BY round ORDER BY tuple() SETTINGS ${durabilitySql(table.inserts)}
         EMPTY AS ${selectLater(table, 0)}`,
      );
    }
  }
}

/** Nothing may be written meanwhile. It is made when this resolves, and not before. */
export async function makeCut({ places, tables, written, id }: Cutting): Promise<void> {
  for (const { server } of places) {
    for (const { name, local } of tables)
      for (const partition of await partitionsOf(server, local))
        await server.command(`ALTER TABLE ${BASE}${name} REPLACE PARTITION ID '${partition}' FROM ${local}`);
    for (const table of written)
      await server.command(`CREATE MATERIALIZED VIEW ${view(table)} TO ${later(table)} AS ${selectLater(table, 1)}`);
  }
  const { server } = places[0]!;
  await server.command(
    `CREATE TABLE ${CUT_TABLE} (id String, round UInt32) ENGINE = MergeTree ORDER BY round SETTINGS ${durabilitySql('durable')}`,
  );
  await server.insert(CUT_TABLE, [{ id, round: 1 }]);
}

const selectLater = ({ columns, local }: RowTable, round: number) =>
  `SELECT toUInt32(${round}) AS round, ${columns.join(', ')} FROM ${local}`;

/** Begins another round. Nothing may be written meanwhile; broken off, it is repeated. */
export async function nextRound({ places, written }: Pick<Cutting, 'places' | 'written'>): Promise<void> {
  const { id, round } = (await readCut(places))!;
  await places[0]!.server.insert(CUT_TABLE, [{ id, round: round + 1 }]);
  for (const { server } of places)
    for (const table of written)
      await server.command(`ALTER TABLE ${view(table)} MODIFY QUERY ${selectLater(table, round + 1)}`);
}

/** Rows of a table that were collected on one server, in one round. */
export interface Group {
  table: RowTable;
  server: Engine;
  /** The same at each run. */
  name: string;
  round: number;
  rows: number;
}

/** What is collected of rounds before one. */
export async function groupsBefore(
  round: number,
  { places, written }: Pick<Cutting, 'places' | 'written'>,
): Promise<Group[]> {
  const groups: Group[] = [];
  for (const [at, { server }] of places.entries()) {
    const found = await server.rows<{ name: string; id: string; count: number }>(
      `SELECT table AS name, partition_id AS id, sum(rows) AS count FROM system.parts
       WHERE database = currentDatabase() AND active AND rows > 0 AND startsWith(table, '${STAGE}later_') GROUP BY name, id`,
    );
    for (const table of written)
      for (const { id, count } of found.filter(({ name }) => name === later(table)))
        if (Number(id) < round)
          groups.push({ table, server, name: `${table.name}/${id}/${at}`, round: Number(id), rows: Number(count) });
  }
  return groups.sort((one, other) => one.round - other.round);
}

/** Rows of a group as text, cut into so many parts: the same bytes at each run. */
export async function readLater({ table, server, round }: Group, part: number, parts: number): Promise<Buffer> {
  const columns = table.columns.join(', ');
  const text = await server.lines(
    `SELECT ${columns} FROM ${later(table)} WHERE round = ${round} AND ${table.hash} % ${parts} = ${part} ORDER BY ${columns}`,
    {},
    { format: 'TabSeparated' },
  );
  return Buffer.from(text.buffer, text.byteOffset, text.length);
}

/** Months, as partitions are named, that rows of a group are of, by day and by week. */
export async function monthsOf({ table, server, round }: Group): Promise<string[]> {
  const rows = await server.rows<{ month: string }>(
    `SELECT DISTINCT toString(arrayJoin([toYYYYMM(day), toYYYYMM(toMonday(day))])) AS month FROM ${later(table)} WHERE round = ${round}`,
  );
  return rows.map(({ month }) => month);
}

/** For rows that are in the target. */
export const dropGroup = ({ table, server, round }: Group): Promise<void> =>
  server.command(`ALTER TABLE ${later(table)} DROP PARTITION ID '${round}'`);

/** Drops the tables of the rows at the cut, and with them files that the source has merged by now. */
export async function dropBase(places: readonly Place[]): Promise<void> {
  for (const { server } of places) await dropStages(server, BASE);
}

/** Removes everything. */
export async function dropCut(places: readonly Place[]): Promise<void> {
  for (const { server } of places) await dropStages(server);
}
