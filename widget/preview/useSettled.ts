// Typing settles before something is loaded anew for it.
import { useEffect, useState } from 'preact/hooks';

const SETTLE_MS = 300;

/** The value as it was when it had not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
