// A day of a site: events are kept, removed and summed by the days of its time zone.
import type { SiteId } from '../sites/site.ts';

/** A day of a site, `YYYY-MM-DD` in its time zone. */
export interface SiteDay {
  site: SiteId;
  day: string;
}
