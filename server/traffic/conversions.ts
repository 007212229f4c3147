// Which pages led to conversions. A conversion is credited to pages its visitor viewed within the 30 days before it, by one of
// four rules; where nothing is known of the visitor, to the page it happened on.
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import { aliasRows, describedRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { ofEvents } from './source.ts';
import { DAY } from './zone.ts';

export const ATTRIBUTIONS = ['last_touch', 'first_touch', 'linear', 'last_post_touched'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

export const CONVERSION_TYPES = [
  'newsletter_signup',
  'custom',
  'lead_capture',
  'link_click',
  'subscription',
  'purchase',
] as const;

const LOOK_BACK_MS = 30 * DAY;

export interface ConversionsQuestion {
  scope: Scope;
  attribution: Attribution;
  /** Only these; none: all. */
  types: readonly string[];
  labels: readonly string[];
  pages: readonly ('post' | 'index')[];
  /** One row a URL, or one for each URL, type and label. */
  by: 'url' | 'kind';
  limit: number;
  offset: number;
}

/** Shares of one conversion as pairs (page, share), from its `touches`: pairs (time, page) in no order. */
const CREDITS: Record<Attribution, string> = {
  last_touch: 'if(empty(touches), [(own, 1.)], [(arrayMax(touches).2, 1.)])',
  first_touch: 'if(empty(touches), [(own, 1.)], [(arrayMin(touches).2, 1.)])',
  linear: 'if(empty(touches), [(own, 1.)], arrayMap(touch -> (touch.2, 1 / length(touches)), touches))',
  last_post_touched: 'if(empty(touches), [(own, 1.)], [(arrayMax(touches).2, 1.)])',
};

/** Rows `name, [type, label,] conversions, visitors` in order, one more than `limit` where there are more. */
export function compileConversions(question: ConversionsQuestion): TrafficQuery {
  const { scope, attribution, by, limit, offset } = question;
  const bind = new Bindings();
  const kind = by === 'kind' ? 'type, label, ' : '';
  const sql = `
SELECT listed.name AS name, ${kind}round(sum(share), 3) AS conversions, uniqExactIf(visitor, visitor != 0) AS visitors
FROM (
  SELECT type, label, visitor, credit.1 AS page, credit.2 AS share
  FROM (SELECT type, label, visitor, ${CREDITS[attribution]} AS credits FROM (${touched(question, bind)}))
  ARRAY JOIN credits AS credit
) AS credited
INNER JOIN (${describedRows(scope, question.pages, bind)}) AS listed ON listed.post = credited.page
GROUP BY ${kind}name
ORDER BY conversions DESC, name ASC${by === 'kind' ? ', type ASC, label ASC' : ''}
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}

/** One row a conversion, with every page its visitor touched before it. */
function touched(question: ConversionsQuestion, bind: Bindings): string {
  const conversions = conversionRows(question, bind);
  return `SELECT any(done.type) AS type, any(done.label) AS label, any(done.visitor) AS visitor, any(done.own) AS own,
    groupArrayIf((seen.time, seen.page), done.visitor != 0 AND seen.page != 0
      AND seen.time BETWEEN done.time - ${LOOK_BACK_MS} AND done.time) AS touches
  FROM (${conversions}) AS done
  LEFT JOIN (${touchRows(question, conversions, bind)}) AS seen ON seen.visitor = done.visitor
  GROUP BY done.id`;
}

function conversionRows({ scope, types, labels }: ConversionsQuestion, bind: Bindings): string {
  const where = [`action = 'conversion'`];
  if (types.length > 0) where.push(`conversion_type IN ${bind.add(types, 'Array(String)')}`);
  if (labels.length > 0) where.push(`conversion_label IN ${bind.add(labels, 'Array(String)')}`);
  where.push(...ofEvents(scope, bind, { edges: asEdge(scope.period, scope.zone).edges }));
  return `SELECT row_number() OVER (ORDER BY time) AS id, toInt64(time) AS time, visitor, toString(conversion_type) AS type,
    toString(conversion_label) AS label, if(known.canonical_post = 0, events.post, known.canonical_post) AS own
  FROM events LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = events.post WHERE ${where.join(' AND ')}`;
}

function touchRows({ scope, attribution }: ConversionsQuestion, conversions: string, bind: Bindings): string {
  const { start, end } = scope.period;
  const { edges } = asEdge({ start: start - LOOK_BACK_MS, end }, scope.zone);
  const where = [`action = 'pageview'`, ...ofEvents(scope, bind, { edges })];
  where.push(`visitor IN (SELECT visitor FROM (${conversions}) WHERE visitor != 0)`);
  const rows = `SELECT visitor, toInt64(time) AS time, if(known.canonical_post = 0, events.post, known.canonical_post) AS page
  FROM events LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = events.post WHERE ${where.join(' AND ')}`;
  if (attribution !== 'last_post_touched') return rows;
  const posts = `SELECT post FROM (${describedRows({ ...scope, excluded: new Set() }, ['post'], bind)})`;
  return `SELECT visitor, time, page FROM (${rows}) WHERE page IN (${posts})`;
}
