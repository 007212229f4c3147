// The day in the site's time zone, by the clock of the server.
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { dayIn } from './periods.ts';
import type { Session } from './session.ts';

/** Milliseconds that the clock of the server is ahead of the browser's. */
export const ServerAhead = createContext(0);

/** For what is drawn as soon as the session is known: a view may be opened hours later. */
export const useServerAhead = ({ now }: Session): number => useMemo(() => Date.parse(now) - Date.now(), [now]);

/** @returns `YYYY-MM-DD`. */
export const useToday = ({ timezone }: Session): string => dayIn(timezone, Date.now() + useContext(ServerAhead));
