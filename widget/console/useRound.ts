// Figures of a period that is not over grow: the questions about them are asked again while the tab is shown.
import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Where it changes, all questions below it are asked again. Default: they are asked once. */
export const Round = createContext(0);

/** A large site takes seconds to count its figures, and a curve by hours has hardly moved meanwhile. */
const ROUND_MS = 10 * 60_000;
const LOOK_MS = 30_000;

/** @param isOpen Whether the period is not over. @returns Another number every ten minutes that the tab is shown. */
export function useRound(isOpen: boolean): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isOpen) return;
    let begun = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - begun < ROUND_MS) return;
      begun = Date.now();
      setRound((last) => last + 1);
    };
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOpen]);
  return round;
}
