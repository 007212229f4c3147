// Traffic over time, as `afterword series` prints it: what /analytics/series answers, without a secret.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import type { IntervalRecord } from '../../contract/wire.ts';
import { BadParameters, type Complaints } from '../../http/errors.ts';
import { parseParams } from '../../http/params.ts';
import { readQuery } from '../../http/query.ts';
import { readSeries, seriesParams } from '../../http/series.ts';
import { requireSite } from './sites.ts';

/** `errors`: of a question that is not answered, what its parameters accept. */
export type SeriesAnswer = { zone: string; records: IntervalRecord[] } | { errors: Complaints };

type SeriesAdminDeps = Pick<Deps, 'sites' | 'store' | 'exclusions' | 'library' | 'now'>;

export function seriesAdmin({ sites, store, exclusions, library, now }: SeriesAdminDeps) {
  const admin = new Hono();

  admin.get('/sites/:id/series', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    try {
      const params = parseParams(seriesParams, readQuery(c.req.url));
      const { records } = await readSeries({ store, exclusions, library }, { params, site, now: now() });
      return c.json({ zone: site.timezone, records } satisfies SeriesAnswer);
    } catch (error) {
      if (!(error instanceof BadParameters)) throw error;
      return c.json({ errors: error.complaints } satisfies SeriesAnswer);
    }
  });

  return admin;
}
