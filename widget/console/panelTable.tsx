// One table: its records by the chosen metric, a click on one of them filters the whole page.
import { useContext, useState } from 'preact/hooks';
import { askApi, FORBIDDEN, type Params } from './ask.ts';
import { columnsOf, type FilterName, type Filters, METRICS, type MetricName } from './choice.ts';
import { download, toCsv } from './csv.ts';
import { inColumn, roomFor, toCellTime, toFigure } from './figures.ts';
import { MoreButton } from './moreButton.tsx';
import { NothingYet } from './nothingYet.tsx';
import { PanelRow } from './panelRow.tsx';
import { type Listed, type Panel, scopeNoteOf } from './panels.ts';
import { Empty, Failed, Ghost } from './states.tsx';
import { SessionEnded, useAnswer } from './useAnswer.ts';
import { MANY, useRowLimit } from './useRowLimit.ts';

interface Props {
  panel: Panel;
  scope: Params;
  metric: MetricName;
  filters: Filters;
  onFilter: (name: FilterName, value: string) => void;
  /** Name of its CSV. */
  file: string;
}

interface Body {
  data: Listed[];
  links: { next: string | null };
}

/** As many as the interface lists. */
const ALL = 2000;

export function PanelTable({ panel, scope, metric, filters, onFilter, file }: Props) {
  const [limit, showMany] = useRowLimit(panel.title, scope);
  const columns = columnsOf(metric);
  const path = `/v2/analytics/${panel.name}`;
  const asked: Params = [['sort', metric], ['metrics', columns.join(',')], ...scope];
  const { body, isLoading, message, retry } = useAnswer<Body>(path, [...asked, ['limit', String(limit)]]);
  const [csvTrouble, setCsvTrouble] = useState('');
  const ended = useContext(SessionEnded);
  const save = async () => {
    const { body: all, message: failed, code } = await askApi<Body>(path, [...asked, ['limit', String(ALL)]]);
    if (code === FORBIDDEN) ended();
    setCsvTrouble(failed && `The file could not be made. ${failed}`);
    if (all) download(`${file}.csv`, toCsv(csvOf(panel, all.data, columns)));
  };
  const rows = body?.data ?? [];
  const most = Math.max(0, ...figuresOf(rows, metric));
  const write = Object.fromEntries(columns.map((name) => [name, inColumn(figuresOf(rows, name))]));
  return (
    <section class={`sheet panel ${panel.name}`} aria-label={panel.title} aria-busy={isLoading}>
      <header>
        <h2>
          {panel.title} <small>{scopeNoteOf(panel, filters)}</small>
        </h2>
        {rows.length > 0 && (
          <button type="button" class="plain" onClick={() => void save()}>
            CSV<span class="hidden"> of {panel.title}</span>
          </button>
        )}
      </header>
      {csvTrouble && <p role="alert">{csvTrouble}</p>}
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={6} />}
      {message === '' && body !== undefined && rows.length === 0 && (
        <Empty>
          {panel.empty ?? <NothingYet what="No post was read." isNarrowed={Object.keys(filters).length > 0} />}
        </Empty>
      )}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{panel.title.replace(/s$/, '')}</th>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  style={roomFor(figuresOf(rows, name))}
                  {...(name === metric && { 'aria-sort': 'descending' as const })}
                >
                  {METRICS[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PanelRow
                key={row.url ?? `${row.category} ${row.name}`}
                {...{ panel, row, columns, write, most, filters, onFilter }}
              />
            ))}
          </tbody>
        </table>
      )}
      {message === '' && limit < MANY && body?.links.next && (
        <MoreButton count={toFigure(MANY)} of={panel.title} onClick={showMany} />
      )}
    </section>
  );
}

const figuresOf = (rows: readonly Listed[], name: MetricName): number[] =>
  rows.map(({ metrics }) => metrics[name] ?? 0);

function csvOf(
  { filter, title }: Panel,
  rows: readonly Listed[],
  columns: readonly MetricName[],
): (string | number)[][] {
  const isPosts = filter === undefined;
  // Referrers of two categories may have one name.
  const isByCategory = filter === 'referrer';
  const names = isPosts
    ? ['Title', 'URL', 'Published (UTC)', 'Authors', 'Section', 'Tags']
    : [title.replace(/s$/, ''), ...(isByCategory ? ['Category'] : [])];
  const textsOf = (row: Listed): string[] =>
    isPosts
      ? [
          row.title,
          row.url,
          row.pub_date && toCellTime(row.pub_date),
          row.author,
          row.section,
          row.tags?.join(', '),
        ].map((text) => text ?? '')
      : [row.name ?? '', ...(isByCategory ? [row.category ?? ''] : [])];
  return [
    [...names, ...columns.map((name) => METRICS[name])],
    ...rows.map((row) => [...textsOf(row), ...columns.map((name) => row.metrics[name] ?? 0)]),
  ];
}
