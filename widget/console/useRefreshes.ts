// Polling of figures that grow: the questions of a period that is not over are asked again while the tab is shown.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

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
 * @returns One more every ten minutes that the tab is shown, and with each refresh of what is around.
 */
export function useRefreshes(isOpen: boolean): number {
  const around = useContext(Refreshes);
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
  return around + refreshes;
}
