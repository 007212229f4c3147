// What a database of the engine has in its folder, read past the engine: the parts of its tables by their names, rows by
// the count that each part has in a file, bytes by the sizes of files.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Partition, first and last block, times merged and changed. */
const NAME = /^(?!(?:tmp|delete_tmp)_)(.+?)_(\d+)_(\d+)_(\d+)(?:_(\d+))?$/;

/** They describe a part, and the engine does not count them as its size. */
const ABOUT = new Set([
  'checksums.txt',
  'columns.txt',
  'columns_substreams.txt',
  'default_compression_codec.txt',
  'metadata_version.txt',
]);

interface Part {
  folder: string;
  partition: string;
  first: number;
  last: number;
  age: number;
}

/** Another part has its rows: it was merged, and its folder is removed later. */
const isCoveredBy = (part: Part, other: Part): boolean =>
  other !== part &&
  other.partition === part.partition &&
  other.first <= part.first &&
  other.last >= part.last &&
  other.age > part.age;

function partsOf(table: string): Part[] {
  const parts = readdirSync(table).flatMap((name): Part[] => {
    const [, partition, first, last, level, change = 0] = NAME.exec(name) ?? [];
    if (partition === undefined) return [];
    const age = Number(level) * 1e9 + Number(change);
    return [{ folder: join(table, name), partition, first: Number(first), last: Number(last), age }];
  });
  return parts.filter((part) => !parts.some((other) => isCoveredBy(part, other)));
}

const bytesOf = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => !ABOUT.has(name))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** @param database Its folder, with one of each table. */
export function partsIn(database: string): { parts: number; rows: number; bytes: number } {
  const all = readdirSync(database).flatMap((table) => partsOf(join(database, table)));
  const sum = (of: (folder: string) => number) => all.reduce((total, { folder }) => total + of(folder), 0);
  return {
    parts: all.length,
    rows: sum((folder) => Number(readFileSync(join(folder, 'count.txt'), 'utf8'))),
    bytes: sum(bytesOf),
  };
}
