// The figures of lists by one thing: a row each, with the interval of its click rate drawn. A click on a name filters
// everything by it.
import { useContext, useState } from 'preact/hooks';
import { askApi, FORBIDDEN, type Params } from '../ask.ts';
import { PostTitle } from '../choiceLink.tsx';
import { download, toCsv } from '../csv.ts';
import { inColumn, roomFor, toFigure, toRate } from '../figures.ts';
import { MoreButton } from '../moreButton.tsx';
import { NothingYet } from '../nothingYet.tsx';
import { Empty, Failed, Ghost } from '../states.tsx';
import { SessionEnded, useAnswer } from '../useAnswer.ts';
import { MANY, useRowLimit } from '../useRowLimit.ts';
import { type Group, labelOfList } from './groups.ts';
import { LIST_METRICS, type ListFilterName, type ListFilters } from './listChoice.ts';
import { PositionPicture } from './positionPicture.tsx';
import { Range } from './range.tsx';

/** A record of /v2/lists. */
export interface ListRecord {
  name: string;
  title: string;
  metrics: Record<string, number>;
}

interface Body {
  data: ListRecord[];
  links: { next: string | null };
}

interface Props {
  group: Group;
  scope: Params;
  filters: ListFilters;
  /** Whether any filter is set. */
  isNarrowed: boolean;
  onFilter: (name: ListFilterName, value: string) => void;
  /** Name of its CSV. */
  file: string;
}

const ALL = 2000;

/** On a narrow screen the first ones are shown. */
const COLUMNS = {
  clicks: 'Clicks',
  click_rate: 'Click rate',
  seen: 'Seen',
  views_caused: 'Views caused',
  engaged_minutes: 'Minutes after',
} as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const { lists, seen, clicks, click_rate, engaged_minutes_caused: engaged_minutes, ...outcomes } = LIST_METRICS;
/** Columns of a file, by the words of the page. */
const IN_FILE: Readonly<Record<string, string>> = {
  ...{ lists, seen, clicks, click_rate, click_rate_low: `${click_rate}, low`, click_rate_high: `${click_rate}, high` },
  ...outcomes,
  engaged_minutes,
};

export function ListTable({ group, scope, filters, isNarrowed, onFilter, file }: Props) {
  const { name, title, row: rowTitle } = group;
  const [limit, showMany] = useRowLimit(title, scope);
  const asked: Params = [['group', name], ...scope];
  const { body, isLoading, message, retry } = useAnswer<Body>('/v2/lists', [...asked, ['limit', String(limit)]]);
  const [trouble, setTrouble] = useState('');
  const ended = useContext(SessionEnded);
  const save = async () => {
    const { body: all, message: failed, code } = await askApi<Body>('/v2/lists', [...asked, ['limit', String(ALL)]]);
    if (code === FORBIDDEN) ended();
    setTrouble(failed && `The file could not be made. ${failed}`);
    if (all) download(`${file}.csv`, toCsv(csvOf(group, all.data)));
  };
  const rows = body?.data ?? [];
  const isShown = rows.length > 0;
  const most = Math.max(0, ...rows.map(({ metrics }) => metrics.click_rate_high ?? 0));
  const figuresOf = (one: string) => rows.map(({ metrics }) => metrics[one] ?? 0);
  const write = Object.fromEntries(NAMES.map((one) => [one, inColumn(figuresOf(one))]));
  return (
    <section class={`sheet panel by ${name}`} aria-label={title} aria-busy={isLoading}>
      <header>
        <h2>{title}</h2>
        {isShown && (
          <button type="button" class="plain" onClick={() => void save()}>
            CSV<span class="hidden"> of {title}</span>
          </button>
        )}
      </header>
      {trouble && <p role="alert">{trouble}</p>}
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={4} />}
      {message === '' && body && rows.length === 0 && (
        <Empty>
          <NothingYet what="No item of a list was seen." isNarrowed={isNarrowed} />
        </Empty>
      )}
      {isShown && name === 'position' && <PositionPicture rows={rows} />}
      {isShown && (
        <table>
          <thead>
            <tr>
              <th scope="col">{rowTitle}</th>
              {NAMES.map((one) => (
                <th key={one} scope="col" style={roomFor(figuresOf(one))}>
                  {COLUMNS[one]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.name} {...{ row, group, write, most, filters, onFilter }} />
            ))}
          </tbody>
        </table>
      )}
      {message === '' && limit < MANY && body?.links.next && (
        <MoreButton count={toFigure(MANY)} of={title} onClick={showMany} />
      )}
    </section>
  );
}

type RowProps = Pick<Props, 'group' | 'filters' | 'onFilter'> & {
  row: ListRecord;
  /** Writes the figures of a column. */
  write: Readonly<Record<string, (value: number) => string>>;
  most: number;
};

function Row({ row, write, most, ...named }: RowProps) {
  const { metrics } = row;
  const { click_rate: rate = 0, click_rate_low: low = 0, click_rate_high: high = 0 } = metrics;
  return (
    <tr data-key={row.name}>
      <th scope="row">
        <Name row={row} {...named} />
      </th>
      {NAMES.map((name) =>
        name === 'click_rate' ? (
          <td key={name} class="rate" title={`95% interval: ${toRate(low)} to ${toRate(high)}`}>
            <span data-metric={name}>{toRate(rate)}</span>
            <span class="hidden">
              , {toRate(low)} to {toRate(high)}
            </span>
            <Range low={low} rate={rate} high={high} most={most} />
          </td>
        ) : (
          <td key={name}>
            <span data-metric={name}>{write[name]!(metrics[name] ?? 0)}</span>
          </td>
        ),
      )}
    </tr>
  );
}

/** Texts of the record come from outside: they are written as text, and lead to http and https alone. */
function Name({ row: { name, title }, group: { filter, none }, filters, onFilter }: Omit<RowProps, 'most' | 'write'>) {
  if (name === '') return <span class="soft">{none}</span>;
  if (filter !== undefined)
    return (
      <button type="button" class="name" aria-pressed={filters[filter] === name} onClick={() => onFilter(filter, name)}>
        <bdi>{labelOfList(filter, name)}</bdi>
      </button>
    );
  // A page without a title is no post, such as a front page: the console has no view of it.
  if (title !== '') return <PostTitle title={title} url={name} />;
  const text = <bdi>{name.replace(/^https?:\/\//, '')}</bdi>;
  return /^https?:\/\//i.test(name) ? (
    <a class="name" href={name} target="_blank" rel="noopener noreferrer" title={name}>
      {text}
    </a>
  ) : (
    <span class="name">{text}</span>
  );
}

/** Pages and posts have titles. */
const csvOf = ({ row, filter }: Group, rows: readonly ListRecord[]): (string | number)[][] => [
  [row, ...(filter ? [] : ['Title']), ...Object.values(IN_FILE)],
  ...rows.map(({ name, title, metrics }) => [
    name,
    ...(filter ? [] : [title]),
    // Of items there is no number of lists: a cell without a figure is no zero.
    ...Object.keys(IN_FILE).map((one) => metrics[one] ?? ''),
  ]),
];
