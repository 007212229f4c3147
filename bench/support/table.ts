// What a bench is: a function that measures and answers with one table. `npm run bench <name>` prints it and keeps it.

export interface Table {
  /** Kept under this name. Default: the bench's. */
  name?: string;
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Sentences below the table: on what it was measured, and what the figures mean. */
  notes: readonly string[];
}

/** @param args What stands after the bench's name on the command line. */
export type Bench = (args: readonly string[]) => Promise<Table>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds of each run. */
export async function timed(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}

export function toMarkdown({ title, columns, rows, notes }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, index) => (index === 0 ? '---' : '---:'));
  return [`## ${title}`, '', line(columns), line(rule), ...rows.map(line), '', ...notes, ''].join('\n');
}
