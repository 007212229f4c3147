// docs/figures.md, made of the tables in bench/results/: the headlines first, then each table.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HEADLINES } from './headlines.ts';
import { type KeptTable, keptNames, readKept } from './keptTable.ts';

const FILE = fileURLToPath(new URL('../../docs/figures.md', import.meta.url));

/** Rows of a table that are shown; the others are in its own file. */
const MOST_ROWS = 12;

/** What writes a table that a bench keeps under another name than its own. */
const COMMANDS: Readonly<Record<string, string>> = { 'ingest-memory': 'ingest --minutes 5' };

const INTRODUCTION = `<!-- Written by \`npm run bench -- figures\` from the tables in bench/results/. Changes by hand are overwritten. -->

# Figures

Each figure comes from a bench that anyone can run; each bench keeps the table of its last run, and this page is written from those tables. The machine was shared with other programs, so compare the columns of one table rather than figures of two. Where there is a peer or a floor (the least that any server has to do), it was measured in the same run.

\`npm run bench -- --help\` lists the benches and their options. \`npm run bench -- top\` runs one; without a name all run but those that take minutes to half an hour each.
`;

export const writeFigures = (): void => writeFileSync(FILE, figures());

export const keptTables = (): Map<string, KeptTable> => new Map(keptNames().map((name) => [name, readKept(name)]));

/**
 * @returns the text of docs/figures.md.
 * @throws {Error} when a table is missing, or a cell that a headline reads, or the table is of another size.
 */
export function figures(tables: ReadonlyMap<string, KeptTable> = keptTables()): string {
  const headlines = HEADLINES.map(({ bench, what, size = '', ours, beside }) => {
    const table = tables.get(bench) ?? readKept(bench);
    if (!table.title.includes(size))
      throw new Error(
        `bench/results/${bench}.md is of "${table.title}", and docs/figures.md names ${size}. Restore the file, or run the bench at that size.`,
      );
    return `| ${what} | ${ours(table)} | ${beside?.(table) ?? ''} | [${bench}](#${anchorOf(bench)}) |`;
  });
  const sections = [...tables].map(([name, table]) => section(name, table));
  const summary = [
    '## In short',
    '',
    '| What | Measured | Beside it | Table |',
    '| --- | --- | --- | --- |',
    ...headlines,
  ];
  return `${[INTRODUCTION, ...summary, '', ...sections].join('\n').trimEnd()}\n`;
}

const anchorOf = (bench: string): string => bench.toLowerCase();

function section(name: string, { title, head, rows, notes }: KeptTable): string {
  const left = rows.length - MOST_ROWS;
  const shown = left > 1 ? rows.slice(0, MOST_ROWS) : rows;
  const more = left > 1 ? [`${left} more rows are in [the whole table](../bench/results/${name}.md).`, ''] : [];
  return [
    `## ${name}`,
    '',
    `${title}. \`npm run bench -- ${COMMANDS[name] ?? name}\``,
    '',
    ...head,
    ...shown,
    '',
    ...more,
    notes.replaceAll(/^### /gm, '#### ').replaceAll(/\]\((\w+\.svg)\)/g, '](../bench/results/$1)'),
    '',
  ].join('\n');
}
