// An answer that is asked for again and again: every few seconds while the tab is shown, less often while the server
// fails. The last answer stays.
import { useContext, useEffect, useState } from 'preact/hooks';
import { askApi, FORBIDDEN, type Params } from '../ask.ts';
import { Refreshes } from '../useRefreshes.ts';

export interface Live<T> {
  /** The last answer, which is that of the question before while `isLoading`. */
  body: T | undefined;
  /** Another question is asked, and its first answer has not come. */
  isLoading: boolean;
  /** Why the last question failed; "" where it did not. */
  message: string;
  /** Seconds until it is asked again, after a failure. */
  pause: number;
  retry(): void;
}

/** Answers are shared for five seconds: more often would show the same. */
const EVERY_MS = 10_000;
const LONGEST_MS = 120_000;

const everyTenSeconds = (): number => EVERY_MS;

interface State<T> extends Omit<Live<T>, 'isLoading' | 'retry'> {
  /** Of which question the answer is. */
  key: string;
}

/**
 * @param onEnded A question was refused for want of a session. It is asked again as long as the component is there: the
 * session may not have ended, where another tab has signed in meanwhile.
 * @param pauseAfter Milliseconds after an answer until it is asked again; undefined: only where the tab is shown again.
 * A constant, which does not change. Default: ten seconds.
 */
export function useLive<T>(
  path: string,
  params: Params,
  onEnded: () => void,
  pauseAfter: (body: T) => number | undefined = everyTenSeconds,
): Live<T> {
  const key = JSON.stringify([path, params]);
  const [state, setState] = useState<State<T>>({ key, body: undefined, message: '', pause: 0 });
  const [attempt, setAttempt] = useState(0);
  const refreshes = useContext(Refreshes);
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isAsking = false;
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || document.hidden) return;
      isAsking = true;
      const { body, message, code } = await askApi<T>(path, params, left.signal);
      isAsking = false;
      if (left.signal.aborted) return;
      if (code === FORBIDDEN) {
        onEnded();
        timer = setTimeout(() => void ask(), EVERY_MS);
        return;
      }
      failures = body === undefined ? failures + 1 : 0;
      const pause = body === undefined ? Math.min(EVERY_MS * 2 ** failures, LONGEST_MS) : pauseAfter(body);
      setState((last) => ({
        key,
        body: body ?? (last.key === key ? last.body : undefined),
        message,
        pause: failures === 0 ? 0 : (pause ?? 0) / 1000,
      }));
      if (pause !== undefined) timer = setTimeout(() => void ask(), pause);
    };
    const look = () => (document.hidden ? clearTimeout(timer) : void ask());
    const again = () => void ask();
    document.addEventListener('visibilitychange', look);
    addEventListener('online', again);
    void ask();
    return () => {
      left.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', again);
    };
  }, [key, attempt, refreshes, onEnded]);
  const { body, message, pause, key: of } = state;
  const isLoading = of !== key;
  return { body, isLoading, message: isLoading ? '' : message, pause, retry: () => setAttempt((last) => last + 1) };
}
