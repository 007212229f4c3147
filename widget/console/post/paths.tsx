// The pages of the site from which readers came to the post, and those they opened from it.
import type { Params } from '../ask.ts';
import type { Filters } from '../choice.ts';
import { PostTitle } from '../choiceLink.tsx';
import { toFigure } from '../figures.ts';
import type { Listed } from '../panels.ts';
import { type Column, RowsTable } from '../rowsTable.tsx';
import { useAnswer } from '../useAnswer.ts';

export interface OfPostProps {
  url: string;
  time: Params;
  /** Begins the name of a CSV. */
  file: string;
  /** Ends it. */
  span: string;
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: 'Page',
    cell: ({ title, url = '' }) => title || url,
    show: ({ title, url = '' }) => <PostTitle title={title} url={url} />,
  },
  { title: 'Views', metric: 'views', cell: viewsOf, show: (row) => toFigure(viewsOf(row)) },
];
/** In a file, where nothing can be opened. */
const ADDRESS: Column<Listed> = { title: 'URL', cell: ({ url = '' }) => url };

export function Paths({ url, time, visits, file, span }: OfPostProps & { visits: Filters }) {
  const { referrer: _, ...known } = visits;
  const narrowed = Object.entries(known).map(([name, value]) => [name, value] as const);
  const ask = (way: string) =>
    useAnswer<{ data: Listed[] }>(`/v2/analytics/post/${way}`, [['url', url], ['limit', '10'], ...time, ...narrowed]);
  const [previous, next] = [ask('previous'), ask('next')];
  const keyOf = (row: Listed) => row.url ?? '';
  return (
    <>
      <RowsTable
        title="Came from"
        name="previous"
        answered={previous}
        columns={COLUMNS}
        more={[ADDRESS]}
        keyOf={keyOf}
        empty="No view came from another page of the site."
        file={`${file}-previous-${span}`}
      />
      <RowsTable
        title="Went on to"
        name="next"
        answered={next}
        columns={COLUMNS}
        more={[ADDRESS]}
        keyOf={keyOf}
        empty="No other page of the site was opened from here."
        file={`${file}-next-${span}`}
      />
    </>
  );
}

function viewsOf({ metrics }: Listed): number {
  return metrics.views ?? 0;
}
