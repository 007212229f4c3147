// A table in bench/results/, read back: its cells by row and column, its sentences by pattern.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Tables and plots of the last runs. */
const RESULTS = fileURLToPath(new URL('../results', import.meta.url));

export interface KeptTable {
  title: string;
  /** The header and the rule below it. */
  head: readonly string[];
  /** Lines of the rows, as they were written. */
  rows: readonly string[];
  /** Text below the table. */
  notes: string;
  /**
   * @param row How its first cell begins.
   * @param column The whole name of its column.
   * @throws {Error} when the table has no such cell, or it is empty.
   */
  cell(row: string, column: string): string;
  /** @throws {Error} when the table has no such column. */
  column(name: string): string[];
  /**
   * @returns the groups of a pattern in the notes.
   * @throws {Error} when no note matches.
   */
  note(pattern: RegExp): string[];
}

/** Names of all tables that are kept, in order. */
export const keptNames = (): string[] =>
  readdirSync(RESULTS)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();

/** @throws {Error} when the bench has kept no table. */
export function readKept(bench: string): KeptTable {
  const file = `bench/results/${bench}.md`;
  const [title = '', , ...lines] = readFileSync(join(RESULTS, `${bench}.md`), 'utf8')
    .trimEnd()
    .split('\n');
  const table = lines.slice(0, lines.indexOf(''));
  const notes = lines.slice(table.length).join('\n').trim();
  const cellsOf = (line: string): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const [names = []] = table.map(cellsOf);
  const rows = table.slice(2);
  const columnOf = (name: string): string[] => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`${file} has no column "${name}".`);
    return rows.map((row) => withCommas(cellsOf(row)[at] ?? ''));
  };
  return {
    title: title.replace(/^## /, ''),
    head: table.slice(0, 2),
    rows,
    notes,
    column: columnOf,
    cell(row, column) {
      const value = columnOf(column)[rows.findIndex((line) => line.startsWith(`| ${row}`))];
      if (!value)
        throw new Error(
          `${file} has no cell "${column}" in a row "${row}", which docs/figures.md reads. Where it is the table of a part, restore the file, or run the bench whole.`,
        );
      return value;
    },
    note(pattern) {
      const found = pattern.exec(notes);
      if (!found) throw new Error(`${file} has no note ${pattern}.`);
      return found.slice(1);
    },
  };
}

/** 50267 → 50,267; decimals stay. */
const withCommas = (text: string): string =>
  text.replaceAll(/(?<![\d.])\d{4,}(?!\d)/g, (digits) => Number(digits).toLocaleString('en'));
