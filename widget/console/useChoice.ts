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
    const search = writeChoice({ ...readChoice(location.search), ...change });
    const address = location.pathname + search;
    if (address !== location.pathname + location.search) history.pushState(null, '', address);
    // Not every view has every period.
    setChoice(readChoice(search));
  }, []);
  return [choice, choose];
}
