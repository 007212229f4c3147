// Reads the views of sites and judges whether they are unusual. What is usual is read once for each quarter of an hour.
import { type Curve, createCurve, quartersFor } from '../alarms/curve.ts';
import { type Finding, type Judging, judge, LOOK_MS, SILENCE_LOOK_MS } from '../alarms/judge.ts';
import { MINUTE, QUARTER, SECOND } from '../durations.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileLastView, compileQuarters, compileViewsByAge } from '../traffic/siteViews.ts';
import { createPauses } from './pauses.ts';

export interface TrafficWatch {
  /** To be called every `NOTICE_MS`: a time in which this server did not run is noticed by it. */
  notice(): void;
  /** What is unusual now. */
  find(site: Site, how: Judging): Promise<Finding | undefined>;
}

interface WatchOptions {
  store: { traffic: TrafficStore };
  /** Epoch milliseconds. */
  now(): number;
  /** How long the oldest event waits for its insertion into the tables; milliseconds. */
  behind(): number;
}

/** Events are in the tables after this. */
const SETTLED_MS = 5 * SECOND;
/** Beyond this, the tables lack views that came. */
const BEHIND_MS = 20 * SECOND;

export function createTrafficWatch({ store, now, behind }: WatchOptions): TrafficWatch {
  const curves = new Map<SiteId, { quarter: number; curve: Curve | undefined }>();
  /** Before, views may have been lost while this server did not run. */
  let knownSince = now();
  const pauses = createPauses(now);

  async function curveOf({ id, timezone }: Site, until: number): Promise<Curve | undefined> {
    const quarter = Math.floor(until / QUARTER);
    const known = curves.get(id);
    if (known?.quarter === quarter) return known.curve;
    const quarters = quartersFor(quarter * QUARTER - LOOK_MS, (quarter + 1) * QUARTER, timezone);
    const of = { site: id, zone: timezone };
    const rows = await store.traffic.run(compileQuarters(of, [...new Set(quarters.flatMap(({ before }) => before))]));
    const views = new Map(rows.map((row) => [Number(row.quarter), Number(row.views)]));
    const curve = createCurve(quarters, views);
    curves.set(id, { quarter, curve });
    return curve;
  }

  /** Of a site without a view in the last hours. */
  async function lastViewOf({ id, timezone }: Site, until: number): Promise<number | undefined> {
    const period = { start: until - SILENCE_LOOK_MS, end: until - 1 };
    const [row] = await store.traffic.run(compileLastView({ site: id, zone: timezone, period }));
    return Number(row?.last) || undefined;
  }

  return {
    notice: pauses.look,

    async find(site, how) {
      const until = now() - SETTLED_MS;
      if (behind() > BEHIND_MS) {
        knownSince = until;
        return undefined;
      }
      knownSince = Math.max(knownSince, pauses.lastEnd());
      const curve = await curveOf(site, until);
      if (curve === undefined) return undefined;
      const period = { start: until - LOOK_MS, end: until - 1 };
      const rows = await store.traffic.run(compileViewsByAge({ site: site.id, zone: site.timezone, period }));
      const ages = new Array<number>(LOOK_MS / MINUTE).fill(0);
      for (const { age, views } of rows) ages[Number(age)] = Number(views);
      const lastView =
        rows.length === 0 ? await lastViewOf(site, until) : Math.max(...rows.map(({ last }) => Number(last)));
      return judge({ now: until, ages, lastView, knownSince }, curve, how);
    },
  };
}
