// Sections or referrers by their readers now.
import type { NowReferrer, NowSection } from '../../../server/contract/now.ts';
import { toFigure } from '../figures.ts';
import { Empty } from '../states.tsx';

interface Props {
  title: string;
  rows: readonly (NowSection | NowReferrer)[];
  empty: string;
  /** Name of the one that everything is narrowed to. */
  chosen?: string | undefined;
  /** Absent: a row leads nowhere. */
  onChoose?: (name: string) => void;
}

export function NowNames({ title, rows, empty, chosen, onChoose }: Props) {
  const most = Math.max(0, ...rows.map(({ visitors }) => visitors));
  return (
    <section class="sheet panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {rows.length === 0 && <Empty>{empty}</Empty>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{title.replace(/s$/, '')}</th>
              <th scope="col" aria-sort="descending">
                Readers
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} data-key={row.name}>
                <th scope="row">
                  <i
                    class="bar-of"
                    aria-hidden="true"
                    style={{ width: `${most === 0 ? 0 : Math.round((row.visitors / most) * 1000) / 10}%` }}
                  />
                  {onChoose ? (
                    <button
                      type="button"
                      class="name"
                      aria-pressed={row.name === chosen}
                      onClick={() => onChoose(row.name)}
                    >
                      <bdi>{row.name}</bdi>
                    </button>
                  ) : (
                    <span class="name">
                      <bdi>{row.name}</bdi>
                      {'category' in row && row.category !== row.name && <small>{row.category}</small>}
                    </span>
                  )}
                </th>
                <td data-value={row.visitors}>{toFigure(row.visitors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const keyOf = (row: NowSection | NowReferrer): string => ('category' in row ? `${row.category} ${row.name}` : row.name);
