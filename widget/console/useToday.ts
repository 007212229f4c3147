// The day in the site's time zone, by the clock of the server when the page was opened.
import { useMemo } from 'preact/hooks';
import { dayIn } from './periods.ts';
import type { Session } from './session.ts';

/** @returns `YYYY-MM-DD`. */
export function useToday({ timezone, now }: Session): string {
  const ahead = useMemo(() => Date.parse(now) - Date.now(), [now]);
  return dayIn(timezone, Date.now() + ahead);
}
