// Polling of figures that grow: the questions of a period that is not over are asked again while the tab is shown.
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

/**
 * Number of refreshes so far: where it changes, all questions below it are asked again. The whole page has one for each
 * sign-in after the first. Default: none.
 */
export const Refreshes = createContext(0);

/** A large site takes seconds to count its figures, and a curve by hours has hardly moved meanwhile. */
const REFRESH_MS = 10 * 60_000;
const LOOK_MS = 30_000;

/**
 * @param isOpen Whether the period is not over.
 * @param of What the figures depend on that is not in their questions. Default: nothing.
 * @returns One more every ten minutes that the tab is shown, with each refresh of what is around, and with each change
 * of `of`.
 */
export function useRefreshes(isOpen: boolean, of?: unknown): number {
  const around = useContext(Refreshes);
  const changes = useRef({ of, count: 0 });
  if (changes.current.of !== of) changes.current = { of, count: changes.current.count + 1 };
  const [refreshes, setRefreshes] = useState(0);
  useEffect(() => {
    if (!isOpen) return;
    let refreshedAt = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - refreshedAt < REFRESH_MS) return;
      refreshedAt = Date.now();
      setRefreshes((last) => last + 1);
    };
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOpen]);
  return around + refreshes + changes.current.count;
}
