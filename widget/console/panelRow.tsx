// A row of a table. Texts of the record come from outside: they are written as text, and lead to http and https alone.
import type { FilterName, MetricName } from './choice.ts';
import { PostTitle, useFixed } from './choiceLink.tsx';
import { FilterButton, type Filtering } from './filterButton.tsx';
import { FirstOfMany } from './firstOfMany.tsx';
import { type Listed, labelOf, type Panel } from './panels.ts';
import { SiteDay } from './siteDay.tsx';

interface Props extends Filtering {
  panel: Panel;
  row: Listed;
  /** The first one orders the table. */
  columns: readonly MetricName[];
  /** Writes the figures of a column. */
  write: Readonly<Record<string, (value: number) => string>>;
  /** The highest figure of the first column. */
  most: number;
}

export function PanelRow({ panel, row, columns, write, most, filters, onFilter }: Props) {
  const [first] = columns;
  const share = most === 0 ? 0 : (row.metrics[first!] ?? 0) / most;
  return (
    <tr data-key={row.url ?? row.name}>
      <th scope="row">
        <i class="bar-of" aria-hidden="true" style={{ width: `${Math.round(share * 1000) / 10}%` }} />
        {panel.filter === undefined ? (
          <Post row={row} filters={filters} onFilter={onFilter} />
        ) : (
          <Name filter={panel.filter} row={row} filters={filters} onFilter={onFilter} />
        )}
      </th>
      {columns.map((name) => (
        <td key={name} data-metric={name}>
          {write[name]!(row.metrics[name] ?? 0)}
        </td>
      ))}
    </tr>
  );
}

const FEW_AUTHORS = 4;

type Filtered = Filtering & Pick<Props, 'row'>;

function Name({ filter, row, filters, onFilter }: Filtered & { filter: FilterName }) {
  const value = row.name ?? '';
  if (value === '') return <span class="soft">None</span>;
  return (
    <FilterButton filter={filter} value={value} filters={filters} onFilter={onFilter}>
      <bdi>{labelOf(filter, value)}</bdi>
      {row.category && row.category !== value && <small>{row.category}</small>}
    </FilterButton>
  );
}

function Post({ row, filters, onFilter }: Filtered) {
  const { title, url = '', authors = [], section = '', tags = [], pub_date = '' } = row;
  const isFixed = useFixed();
  const factsOf = (name: FilterName, values: readonly string[]) =>
    values
      .filter((value) => value !== '')
      .map((value) =>
        isFixed ? (
          <span key={`${name} ${value}`} class={`fact ${name}`}>
            <bdi>{value}</bdi>
          </span>
        ) : (
          <button
            key={`${name} ${value}`}
            type="button"
            class={`fact ${name}`}
            aria-pressed={filters[name] === value}
            onClick={() => onFilter(name, value)}
          >
            <bdi>{value}</bdi>
          </button>
        ),
      );
  return (
    <>
      <PostTitle title={title} url={url} />
      <span class="facts">
        {pub_date && <SiteDay of={pub_date} />}
        <FirstOfMany all={factsOf('author', authors)} most={FEW_AUTHORS} of="authors" />
        {factsOf('section', [section])}
        {factsOf('tag', tags.slice(0, 3))}
      </span>
    </>
  );
}
