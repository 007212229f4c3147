// What visitors' profiles were trained with: one row a visitor and URL, kept for 7 days.
import { PROFILE_DAYS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import type { Engine } from './engine.ts';
import type { ProfileStore, ProfileVisit } from './store.ts';

const PROFILE_MS = PROFILE_DAYS * DAY;

export function createProfileStore(engine: Engine): ProfileStore {
  return {
    append: (rows, token) =>
      engine.insert(
        'profile_visits',
        rows.map(({ site, uuid, url, time }) => ({ site, uuid, url, time })),
        token,
      ),

    visits: (site, uuid, { now, limit }) =>
      engine.rows<ProfileVisit>(
        `SELECT v.url AS url, max(v.time) AS time FROM profile_visits AS v
         WHERE v.site = {site:String} AND v.uuid = {uuid:String} AND v.time > {since:Int64}
         GROUP BY v.url ORDER BY time DESC, url LIMIT {limit:UInt32}`,
        { site, uuid, since: now - PROFILE_MS, limit },
      ),
  };
}
