// An answer of the API for a component: asked again when the question changes, the one before shown meanwhile.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { askApi, FORBIDDEN, type Params } from './ask.ts';
import { RefusedFilters } from './refusedFilters.tsx';
import { Refreshes } from './useRefreshes.ts';

/** Semaphore of the page, in which its questions take turns. Default: all are asked at once. */
export const Turns = createContext<<T>(ask: () => Promise<T>) => Promise<T>>((ask) => ask());

/** Called where the server says that there is no session any more. */
export const SessionEnded = createContext<() => void>(() => {});

export interface Answered<T> {
  /**
   * The last answer: while `isLoading`, maybe that of the question before; where the same question was asked again in
   * vain, that of the time before.
   */
  body: T | undefined;
  isLoading: boolean;
  /** "" when all went well. */
  message: string;
  retry(): void;
}

interface State<T> extends Pick<Answered<T>, 'body' | 'message'> {
  /** What `body` answers. */
  question?: string;
  /** The question, its attempt and the refresh. */
  of?: string;
}

/** @param path undefined: nothing is asked. */
export function useAnswer<T>(path: string | undefined, params: Params): Answered<T> {
  const [state, setState] = useState<State<T>>({ body: undefined, message: '' });
  const [attempt, setAttempt] = useState(0);
  const refreshes = useContext(Refreshes);
  const turns = useContext(Turns);
  const ended = useContext(SessionEnded);
  const refusing = useContext(RefusedFilters);
  const question = JSON.stringify([path, params]);
  const key = `${refreshes} ${attempt} ${question}`;
  useEffect(() => {
    if (path === undefined) return;
    const left = new AbortController();
    const ask = async () => {
      if (left.signal.aborted) return;
      const { body, message, code, errors } = await askApi<T>(path, params, left.signal);
      if (left.signal.aborted) return;
      if (code === FORBIDDEN) ended();
      if (errors && Object.keys(errors).every((name) => refusing?.filters.includes(name)))
        return refusing?.refuse(message);
      setState((last) => {
        const known = last.question === question ? last.body : undefined;
        return { body: body ?? known, message, question, of: key };
      });
    };
    void turns(ask);
    return () => left.abort();
  }, [key]);
  // From the change of the question on, not from the moment at which it is asked.
  const isLoading = path !== undefined && state.of !== key;
  const message = state.of === key ? state.message : '';
  return { body: state.body, isLoading, message, retry: () => setAttempt((last) => last + 1) };
}
