// Page views in the form that the prediction of the next read learns from: who read what when, in order of time.
import { DAY, HOUR } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import type { ReadingStore } from './store.ts';

/** How far back is looked, further only where there were too few views. */
const LOOKS = [DAY, 7 * DAY, 28 * DAY];
/** Views of one piece, about. */
const PIECE = 20_000;

/** Days are those of the site's zone, which differ from UTC's by up to one; `time` alone would read every part. */
const VIEWS = `FROM events WHERE site IN {sites:Array(String)} AND action = 'pageview'
  AND day BETWEEN toDate(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) - 1 AND toDate(fromUnixTimestamp64Milli({to:Int64}, 'UTC')) + 1
  AND time >= {from:Int64} AND time < {to:Int64}`;

interface Hour {
  hour: number;
  views: number;
}

export function createReadingStore(engine: Engine): ReadingStore {
  const busy = (site: SiteId, period: { from: number; to: number }) =>
    engine.rows<Hour>(`SELECT intDiv(time, ${HOUR}) AS hour, count() AS views ${VIEWS} GROUP BY hour ORDER BY hour`, {
      sites: [site],
      ...period,
    });

  return {
    between: (sites, period) =>
      engine.rows<Awaited<ReturnType<ReadingStore['between']>>[number]>(
        `SELECT toString(site) AS site, time, url, toString(visitor) AS visitor ${VIEWS} AND url != ''
         ORDER BY time, post, visitor`,
        { sites, ...period },
      ),

    async newest(site, { to, most }) {
      let hours: Hour[] = [];
      for (const look of LOOKS) {
        hours = await busy(site, { from: to - look, to });
        if (hours.reduce((sum, { views }) => sum + views, 0) >= most) break;
      }
      return piecesOf(newestOf(hours, most), to);
    },

    async busiest({ since, most }) {
      const rows = await engine.rows<{ site: SiteId }>(
        `SELECT toString(site) AS site FROM post_days WHERE day >= {since:Date} GROUP BY site
         HAVING sum(views) > 0 ORDER BY sum(views) DESC LIMIT {most:UInt32}`,
        { since, most },
      );
      return rows.map((row) => row.site);
    },
  };
}

/** The last hours that hold as many views as are wanted, and the one in which they begin. */
function newestOf(hours: readonly Hour[], most: number): Hour[] {
  let views = 0;
  let first = hours.length;
  while (first > 0 && views < most) views += hours[--first]!.views;
  return hours.slice(first);
}

/** Periods of about the same number of views; an hour is not divided. */
function piecesOf(hours: readonly Hour[], to: number): { from: number; to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  let views = 0;
  for (const one of hours) {
    const end = Math.min(to, (one.hour + 1) * HOUR);
    const last = pieces.at(-1);
    if (last && views < PIECE) last.to = end;
    else {
      pieces.push({ from: one.hour * HOUR, to: end });
      views = 0;
    }
    views += one.views;
  }
  return pieces;
}
