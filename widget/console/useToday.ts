// The day in the site's time zone, by the clock of the server.
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { dayIn } from './periods.ts';
import type { Session } from './session.ts';

/** Milliseconds that the clock of the server is ahead of the browser's. */
export const ServerAhead = createContext(0);

/** For what is drawn as soon as the session is known: a view may be opened hours later. */
export const useServerAhead = ({ now }: Session): number => useMemo(() => Date.parse(now) - Date.now(), [now]);

/** So long after midnight at most, a view that stays open is one of the new day. */
const LOOK_MS = 5_000;

/** @returns `YYYY-MM-DD`. The component is drawn again when it changes. */
export function useToday({ timezone }: Session): string {
  const ahead = useContext(ServerAhead);
  const today = () => dayIn(timezone, Date.now() + ahead);
  const [, setDrawn] = useState(today);
  useEffect(() => {
    const timer = setInterval(() => setDrawn(today()), LOOK_MS);
    return () => clearInterval(timer);
  }, [timezone, ahead]);
  return today();
}
