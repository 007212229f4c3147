// All page views of a site, of which the views that lists caused are a share: from totals of the site where every page
// counts, else by page.
import type { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import type { Span } from '../intervals.ts';
import { pagesThatCount } from '../pages.ts';
import type { Placing } from '../placing.ts';
import type { Scope } from '../scope.ts';
import { measureRows } from '../source.ts';
import { areTotals, totalRows } from '../totals.ts';

interface Split {
  /** Default: not by time. */
  placing?: Placing | undefined;
  /** That `placing` is by. */
  interval: Span;
}

const WHOLE: Placing = { ofTime: () => '0', ofEvent: '0', ofDay: '0' };

/** Rows `[place,] views`, whichever posts the question narrows the items to. */
export function allViewRows({ posts: _, ...scope }: Scope, { placing, interval }: Split, bind: Bindings): string {
  const isEmpty = asEdge(scope.period, scope.zone).edges.length === 0;
  if (!isEmpty && scope.excluded.size === 0 && areTotals(scope, interval))
    return totalRows(scope, ['views'], bind, { placing: placing ?? WHOLE, uncounted: [] });
  return measureRows(scope, ['views'], bind, { pages: pagesThatCount(scope, bind), placing });
}
