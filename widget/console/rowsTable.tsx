// A table of records that are no filter: each column says how a cell is shown, and what it is in a file.
import type { ComponentChildren } from 'preact';
import { type Cell, download, toCsv } from './csv.ts';
import { roomFor } from './figures.ts';
import { Empty, Failed, Ghost } from './states.tsx';
import type { Answered } from './useAnswer.ts';
import { WaitingButton } from './waitingButton.tsx';

export interface Column<T> {
  title: string;
  /** For the file, and shown where `show` is absent. */
  cell(row: T): Cell;
  show?: (row: T) => ComponentChildren;
  /** Name of the figure, for a column of figures. */
  metric?: string;
}

interface Props<T> {
  title: string;
  /** Names the panel in the style sheet. */
  name: string;
  answered: Answered<{ data: T[] }>;
  /** Text first, figures after it. */
  columns: readonly Column<T>[];
  /** Columns of the file alone. Default: none. */
  more?: readonly Column<T>[];
  keyOf(row: T): string;
  empty: string;
  /** Name of the CSV. */
  file: string;
  /** Says what is counted. */
  hint?: string;
}

export function RowsTable<T>({ title, name, answered, columns, more = [], keyOf, empty, file, hint }: Props<T>) {
  const { body, isLoading, message, retry } = answered;
  const rows = body?.data ?? [];
  const save = () => {
    const all = [...columns, ...more];
    download(
      `${file}.csv`,
      toCsv([all.map((column) => column.title), ...rows.map((row) => all.map(({ cell }) => cell(row)))]),
    );
  };
  return (
    <section class={`sheet panel ${name}`} aria-label={title} aria-busy={isLoading}>
      <header>
        <h2>{title}</h2>
        {rows.length > 0 && (
          // Rows of the question before are shown until those of this one come: the name of a file says that of these.
          <WaitingButton type="button" class="plain" isBusy={isLoading} onClick={save}>
            CSV<span class="hidden"> of {title}</span>
          </WaitingButton>
        )}
      </header>
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={4} />}
      {message === '' && body !== undefined && rows.length === 0 && <Empty>{empty}</Empty>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" style={roomFor(figuresIn(column, rows))}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} data-key={keyOf(row)}>
                {columns.map((column, place) => {
                  const shown = column.show?.(row) ?? column.cell(row);
                  return place === 0 ? (
                    <th key={column.title} scope="row">
                      {shown}
                    </th>
                  ) : (
                    <td key={column.title} data-metric={column.metric}>
                      {shown}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hint && rows.length > 0 && <p class="hint">{hint}</p>}
    </section>
  );
}

const figuresIn = <T,>({ cell }: Column<T>, rows: readonly T[]): number[] =>
  rows.map(cell).filter((value) => typeof value === 'number');
