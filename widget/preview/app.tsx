// The whole of it, and what is chosen.
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { Check } from './check.tsx';
import { Form } from './form.tsx';
import { Frames } from './frames.tsx';
import { Snippets } from './snippets.tsx';
import { readState, type State, writeState } from './state.ts';
import { Why } from './why.tsx';

/** Typing settles before a frame is loaded anew. */
const SETTLE_MS = 300;

export function App({ server, site }: { server: string; site: string }) {
  const [state, setState] = useState(() => readState(location.search, site));
  const shown = useSettled(state);
  const { trouble, post } = useExample(shown.site);
  useEffect(() => history.replaceState(null, '', writeState(shown)), [shown]);
  return (
    <>
      <header>
        <h1>Preview</h1>
        <p>Choose a list, look at it, copy it. Nobody is counted here.</p>
      </header>
      <Form state={state} example={post} onChange={(change) => setState({ ...state, ...change })} />
      <main>
        {trouble ? (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        ) : (
          <Frames choice={shown} post={shown.post || post} />
        )}
        {state.kind === 'related' && <Why choice={shown} post={shown.post || post} />}
        <Snippets choice={state} server={server} />
        <Check site={state.site} />
      </main>
    </>
  );
}

function useSettled(state: State): State {
  const [settled, setSettled] = useState(state);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(state), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return settled;
}

interface Example {
  /** A post of the site to show related posts for: what is read most. "" when there is none. */
  post: string;
  /** What is in the way of showing anything, or "". */
  trouble: string;
}

function useExample(site: string): Example {
  const [example, setExample] = useState<Example>({ post: '', trouble: '' });
  useEffect(() => {
    if (site === '') return setExample({ post: '', trouble: 'Say which site: its Site ID, as the tag names it.' });
    let current = true;
    const look = async () => {
      const { data, message } = await ask<{ url: string }[]>('/v2/top/posts', { apikey: site, limit: '1', days: '30' });
      const trouble = message === '' ? '' : `The site ${site} cannot be shown: ${message}.`;
      if (current) setExample({ post: data?.[0]?.url ?? '', trouble });
    };
    void look();
    return () => {
      current = false;
    };
  }, [site]);
  return example;
}
