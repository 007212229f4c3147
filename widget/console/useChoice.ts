// The choice in the address: each change is an entry of the history, and the back button returns to the one before.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Choice, readChoice, writeChoice } from './choice.ts';
import { returnTo } from './returnTo.ts';

export function useChoice(): [choice: Choice, choose: (change: Partial<Choice>) => void] {
  const [choice, setChoice] = useState(() => readChoice(location.search));
  const shown = useRef(location.search);
  useEffect(() => {
    let end = () => {};
    const onPop = ({ state }: PopStateEvent) => {
      end();
      // Where this entry was left for another one.
      if (state?.top !== undefined) end = returnTo(state.top, shown.current);
      shown.current = location.search;
      setChoice(readChoice(location.search));
    };
    addEventListener('popstate', onPop);
    return () => {
      end();
      removeEventListener('popstate', onPop);
    };
  }, []);
  const choose = useCallback((change: Partial<Choice>) => {
    const search = writeChoice({ ...readChoice(location.search), ...change });
    if (search !== location.search) {
      const { top, ...tables } = history.state ?? {};
      history.replaceState({ ...tables, top: scrollY }, '');
      history.pushState(tables, '', location.pathname + search);
    }
    shown.current = search;
    // Not every view has every period.
    setChoice(readChoice(search));
  }, []);
  return [choice, choose];
}
