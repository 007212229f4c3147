// Where the post stands in the lists on pages, and what came of it, as pages reported.
import { PageLink, PostLink } from '../choiceLink.tsx';
import { toFigure, toRate } from '../figures.ts';
import { labelOfList } from '../lists/groups.ts';
import { type Column, RowsTable } from '../rowsTable.tsx';
import { useAnswer } from '../useAnswer.ts';
import type { OfPostProps } from './paths.tsx';

interface Figures {
  name: string;
  title: string;
  metrics: Record<string, number>;
}

const figure = (name: string, title: string): Column<Figures> => ({
  title,
  metric: name,
  cell: ({ metrics }) => metrics[name] ?? 0,
  show: ({ metrics }) => toFigure(metrics[name] ?? 0),
});

const FIGURES: readonly Column<Figures>[] = [
  figure('seen', 'Seen'),
  figure('clicks', 'Clicks'),
  {
    title: 'Click rate',
    metric: 'click_rate',
    cell: ({ metrics }) => metrics.click_rate ?? 0,
    show: ({ metrics }) => toRate(metrics.click_rate ?? 0),
  },
];

const BY_LIST: Column<Figures> = {
  title: 'List',
  cell: ({ name }) => labelOfList('list', name),
  show: ({ name }) => <bdi>{labelOfList('list', name)}</bdi>,
};

const BY_PAGE: Column<Figures> = {
  title: 'On the page',
  cell: textOf,
  show: (row) => {
    const { name } = row;
    const text = textOf(row);
    return (
      <span class="titled">
        <PostLink url={name}>
          <bdi>{text}</bdi>
        </PostLink>
        <PageLink url={name} of={text} />
      </span>
    );
  },
};

/** In a file, where nothing can be opened. */
const ADDRESS: Column<Figures> = { title: 'URL', cell: ({ name }) => name };

export function InLists({ url, time, file, span }: OfPostProps) {
  const ask = (group: string) =>
    useAnswer<{ data: Figures[] }>('/v2/lists', [
      ['group', group],
      ['post', url],
      ['sort', 'seen'],
      ['limit', '10'],
      ...time,
    ]);
  const [lists, pages] = [ask('list'), ask('page')];
  const common = { keyOf: ({ name }: Figures) => name, empty: 'No list on a page has shown this post.' };
  return (
    <>
      <RowsTable
        title="In lists"
        name="of-lists"
        answered={lists}
        columns={[BY_LIST, ...FIGURES]}
        file={`${file}-lists-${span}`}
        {...common}
      />
      <RowsTable
        title="In lists, by page"
        name="of-pages"
        answered={pages}
        columns={[BY_PAGE, ...FIGURES]}
        more={[ADDRESS]}
        file={`${file}-pages-${span}`}
        hint="Of all visits. Reports of pages are kept for 90 days at most."
        {...common}
      />
    </>
  );
}

function textOf({ name, title }: Figures): string {
  return title || pathOf(name);
}

/** The host is that of the site, nearly always. */
function pathOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}
