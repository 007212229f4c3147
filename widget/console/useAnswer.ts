// An answer of the API for a component: asked again when the question changes, the one before shown meanwhile.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { askApi, FORBIDDEN, type Params } from './ask.ts';

/** Called where the server says that there is no session any more. */
export const SessionEnded = createContext<() => void>(() => {});

export interface Answered<T> {
  /** The last answer, which may be that of the question before while `isLoading`. */
  body: T | undefined;
  isLoading: boolean;
  /** "" when all went well. */
  message: string;
  retry(): void;
}

/** @param path undefined: nothing is asked. */
export function useAnswer<T>(path: string | undefined, params: Params): Answered<T> {
  const [state, setState] = useState<Omit<Answered<T>, 'retry'>>({
    body: undefined,
    isLoading: path !== undefined,
    message: '',
  });
  const [attempt, setAttempt] = useState(0);
  const ended = useContext(SessionEnded);
  const key = JSON.stringify([path, params]);
  useEffect(() => {
    if (path === undefined) return;
    const left = new AbortController();
    setState(({ body }) => ({ body, isLoading: true, message: '' }));
    const ask = async () => {
      const { body, message, code } = await askApi<T>(path, params, left.signal);
      if (left.signal.aborted) return;
      if (code === FORBIDDEN) ended();
      setState({ body, isLoading: false, message });
    };
    void ask();
    return () => left.abort();
  }, [key, attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}
