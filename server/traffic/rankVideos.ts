// Lists of videos: their own measures in their own tables, the same aliases, metadata and exclusions as posts.
import { Bindings } from './bindings.ts';
import { cutPeriod } from './cut.ts';
import { mergedCount, PRECISION } from './distinctCount.ts';
import { aliasRows, postRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { everywhere, inDays, ofEvents } from './source.ts';

export const VIDEO_METRICS = ['starts', 'viewers', 'watch_minutes'] as const;
export type VideoMetric = (typeof VIDEO_METRICS)[number];

const ORDER: Record<VideoMetric, string> = { starts: 'starts', viewers: 'viewers', watch_minutes: 'watched_seconds' };

export interface RankVideosQuestion {
  scope: Scope;
  sort: VideoMetric;
  limit: number;
  offset: number;
}

/** Rows `name, starts, viewers, watched_seconds` in order, one more than `limit` where there are more. */
export function compileRankVideos({ scope, sort, limit, offset }: RankVideosQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const sql = `
SELECT listed.name AS name, sum(traffic.starts) AS starts, sum(traffic.watched_seconds) AS watched_seconds,
  ${mergedCount('seen.state', PRECISION)} AS viewers
FROM (SELECT post, sum(starts) AS starts, sum(watched_seconds) AS watched_seconds FROM (${measures(scope, bind)}) GROUP BY post) AS traffic
LEFT JOIN (SELECT post, uniqCombinedMergeState(${PRECISION})(state) AS state FROM (${viewers(scope, bind)}) GROUP BY post) AS seen
  ON seen.post = traffic.post
LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = traffic.post
INNER JOIN (${postRows(scope, 'video', bind)}) AS listed
  ON listed.post = if(known.canonical_post = 0, traffic.post, known.canonical_post)
GROUP BY name
HAVING starts > 0 OR watched_seconds > 0
ORDER BY ${ORDER[sort]} DESC, name ASC
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}

function measures(scope: Scope, bind: Bindings): string {
  const { days, edges } = cutPeriod(scope.period, scope.zone);
  const selects: string[] = [];
  if (edges.length > 0) {
    const where = [...ofEvents(scope, bind, { edges }), `action IN ('videostart', 'vheartbeat')`, 'video_post != 0'];
    selects.push(`SELECT video_post AS post, toUInt64(action = 'videostart') AS starts,
      toUInt64(if(action = 'vheartbeat', seconds, 0)) AS watched_seconds FROM events WHERE ${where.join(' AND ')}`);
  }
  if (days) {
    const where = [...everywhere(scope, bind, {}), inDays(days, bind)];
    selects.push(`SELECT post, starts, watched_seconds FROM video_days WHERE ${where.join(' AND ')}`);
  }
  return selects.length > 0
    ? selects.join('\nUNION ALL\n')
    : 'SELECT post, starts, watched_seconds FROM video_days WHERE 0';
}

function viewers(scope: Scope, bind: Bindings): string {
  const { days, edges } = cutPeriod(scope.period, scope.zone);
  const selects: string[] = [];
  if (edges.length > 0) {
    const where = [...ofEvents(scope, bind, { edges }), `action = 'videostart'`, 'video_post != 0', 'visitor != 0'];
    selects.push(`SELECT video_post AS post, uniqCombinedState(${PRECISION})(visitor) AS state FROM events
      WHERE ${where.join(' AND ')} GROUP BY video_post`);
  }
  if (days) {
    const where = [...everywhere(scope, bind, {}), inDays(days, bind)];
    selects.push(`SELECT post, visitors AS state FROM video_visitors WHERE ${where.join(' AND ')}`);
  }
  return selects.length > 0
    ? selects.join('\nUNION ALL\n')
    : 'SELECT post, visitors AS state FROM video_visitors WHERE 0';
}
