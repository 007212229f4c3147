// The choice in the address: each change is an entry of the history, and the back button returns to the one before.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Choice, readChoice, writeChoice } from './choice.ts';

export function useChoice(): [choice: Choice, choose: (change: Partial<Choice>) => void] {
  const [choice, setChoice] = useState(() => readChoice(location.search));
  useEffect(() => {
    const onPop = () => setChoice(readChoice(location.search));
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const choose = useCallback((change: Partial<Choice>) => {
    const next = { ...readChoice(location.search), ...change };
    const address = location.pathname + writeChoice(next);
    if (address !== location.pathname + location.search) history.pushState(null, '', address);
    setChoice(next);
  }, []);
  return [choice, choose];
}
