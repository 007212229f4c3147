// What followed a click: the view it caused, and the seconds its reader was engaged with that post. A click and what
// followed are of one visitor, by an id or by the hash of the day. Read from events: what is known of a reader is kept
// in no sum.
import type { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import { aliasRows, pagesThatCount } from '../pages.ts';
import { ofEvents } from '../source.ts';
import { CAUSED_WITHIN_MS, ENGAGED_WITHIN_MS, type FiguresQuestion, QUALITY_SECONDS } from './question.ts';
import { chosen, ITEMS, measures } from './rows.ts';

/** Kinds of moments in the path of a visitor to a post. */
const CLICK = 0;
const VIEW = 1;
const BEAT = 2;

/** Of the last click of a path. */
const NEVER = '9223372036854775807';

/** Which clicks, and the SQL of the text they are counted under, over a row of the ledger. */
type ClicksQuestion = Pick<FiguresQuestion, 'scope' | 'filters'> & { key: string };

/** Rows `key, post, …measures` of the clicks of a period. */
export function outcomeRows(question: ClicksQuestion, bind: Bindings): string {
  const clicks = clickRows(question, bind);
  return `SELECT key, post, ${measures({
    quality_clicks: `countIf(caused AND seconds >= ${QUALITY_SECONDS})`,
    views_caused: 'countIf(caused)',
    engaged_seconds: 'sumIf(seconds, caused)',
  })}
FROM (
  SELECT post, click.2 AS key, click.3 AS matches,
    arrayFirst(view -> view >= click.1, views) AS opened,
    opened != 0 AND opened <= click.1 + ${CAUSED_WITHIN_MS} AND opened < next_click AS caused,
    arrayFirst(view -> view > opened, views) AS reopened,
    arraySum(arrayMap(beat -> if(beat.1 >= opened AND beat.1 <= opened + ${ENGAGED_WITHIN_MS} AND (reopened = 0 OR beat.1 < reopened), beat.2, 0), beats)) AS seconds
  FROM (
    SELECT post, arraySort(groupArrayIf((time, key, matches), kind = ${CLICK})) AS clicked,
      arraySort(groupArrayIf(time, kind = ${VIEW})) AS views,
      groupArrayIf((time, seconds), kind = ${BEAT}) AS beats
    FROM (${clicks}\nUNION ALL\n${readingRows(question, clicks, bind)})
    GROUP BY visitor, post HAVING notEmpty(clicked)
  )
  ARRAY JOIN clicked AS click, arrayPushBack(arrayPopFront(arrayMap(each -> each.1, clicked)), ${NEVER}) AS next_click
)
WHERE matches GROUP BY key, post`;
}

/**
 * Every click that a view may belong to, and whether it is one of those that are asked for: a view that belongs to
 * another click is not given to one of these.
 */
function clickRows(question: ClicksQuestion, bind: Bindings): string {
  const { scope, filters, key } = question;
  const { site, zone, period } = scope;
  const counts = pagesThatCount(scope, bind);
  const asked = [
    ...ofEvents(scope, bind, { edges: asEdge(period, zone).edges }),
    ...chosen(filters, bind),
    ...(counts === undefined ? [] : [counts]),
  ];
  const all = ofEvents({ site, zone, period, excluded: new Set() }, bind, {
    edges: asEdge({ start: period.start, end: period.end + CAUSED_WITHIN_MS }, zone).edges,
  });
  return `SELECT visitor, if(known.canonical_post = 0, clicks.post, known.canonical_post) AS post, time, ${CLICK} AS kind, key, matches, 0 AS seconds
  FROM (
    SELECT visitor, post, toInt64(time) AS time, ${key} AS key, (${asked.join(' AND ')}) AS matches
    FROM ledger ${ITEMS} WHERE ${[...all, 'has_clicks', 'clicked > 0', 'visitor != 0'].join(' AND ')}
  ) AS clicks LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = clicks.post`;
}

/** Views and engaged seconds of the visitors and posts of the clicks. */
function readingRows({ scope: { site, zone, period } }: ClicksQuestion, clicks: string, bind: Bindings): string {
  const scope = { site, zone, period, excluded: new Set<string>() };
  const until = period.end + CAUSED_WITHIN_MS + ENGAGED_WITHIN_MS;
  const aliases = aliasRows(scope, bind);
  const posts = `SELECT post FROM (${clicks})`;
  const where = [
    ...ofEvents(scope, bind, { edges: asEdge({ start: period.start, end: until }, zone).edges }),
    `action IN ('pageview', 'heartbeat')`,
    `visitor IN (SELECT visitor FROM (${clicks}))`,
    `events.post IN (${posts} UNION ALL SELECT alias_post AS post FROM (${aliases}) WHERE canonical_post IN (${posts}))`,
  ];
  return `SELECT visitor, if(known.canonical_post = 0, events.post, known.canonical_post) AS post, toInt64(time) AS time,
    if(action = 'pageview', ${VIEW}, ${BEAT}) AS kind, '' AS key, 0 AS matches, seconds
  FROM events LEFT JOIN (${aliases}) AS known ON known.alias_post = events.post WHERE ${where.join(' AND ')}`;
}
