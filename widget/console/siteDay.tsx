// Days of moments, by the clock of the site and not by that of the browser.
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { dayWriter } from './figures.ts';
import { zoneHere } from './periods.ts';

/** IANA name of the site's time zone. */
export const TimeZone = createContext('UTC');

/** What writes the day of a moment: ISO 8601, of UTC where it names no zone; "" for "". */
export function useDays(): (moment: string) => string {
  const zone = useContext(TimeZone);
  return useMemo(() => dayWriter(zone), [zone]);
}

export function SiteDay({ of }: { of: string }) {
  const toDay = useDays();
  return <time>{toDay(of)}</time>;
}

/** Says so where days and times of the page are not by the clock of the site. */
export function ZoneNote() {
  const zone = useContext(TimeZone);
  if (zoneHere(zone) === zone) return null;
  return <span class="trouble">This browser does not know the time zone {zone}: days and times are those of UTC.</span>;
}
