// The whole of it, and what is chosen.
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { Check } from './check.tsx';
import { DialCommand, DialSliders } from './dials.tsx';
import { Form } from './form.tsx';
import { Frames, OwnFrames } from './frames.tsx';
import { filtersOf } from './options.ts';
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
      <Form state={state} example={post ?? ''} onChange={(change) => setState({ ...state, ...change })} />
      <main>
        {trouble ? (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        ) : (
          <Shown choice={shown} post={shown.post || post} />
        )}
        {state.kind === 'related' && <DialSection choice={shown} post={shown.post || (post ?? '')} />}
        {state.kind === 'related' && <Why choice={shown} post={shown.post || (post ?? '')} />}
        <Snippets choice={state} server={server} />
        <Check site={state.site} />
      </main>
    </>
  );
}

/** @param post Page a related list is for; undefined while it is looked for. */
function Shown({ choice, post }: { choice: State; post: string | undefined }) {
  // On a page of one's own the list is that page's.
  if (choice.page) return <OwnFrames choice={choice} post={choice.post || choice.page} />;
  return choice.kind === 'top' || post !== undefined ? <Frames choice={choice} post={post ?? ''} /> : null;
}

/** @param post Page the list is for. */
function DialSection({ choice, post }: { choice: State; post: string }) {
  const { site } = choice;
  const question = [['apikey', site] as const, ['url', post] as const, ...filtersOf(choice)];
  return (
    <section aria-label="Dials">
      <h2>Dials</h2>
      <DialSliders
        ask={(params) =>
          ask(
            '/v2/related',
            params.map(([name, value]) => [name, value]),
          )
        }
        question={site === '' || post === '' ? [] : question}
      >
        {(dials) => <DialCommand site={site} dials={dials} />}
      </DialSliders>
    </section>
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
  /** A post of the site to show related posts for; "" when there is none, undefined while it is looked for. */
  post: string | undefined;
  /** What is in the way of showing anything, or "". */
  trouble: string;
}

function useExample(site: string): Example {
  const [example, setExample] = useState<Example>({ post: undefined, trouble: '' });
  useEffect(() => {
    if (site === '') return setExample({ post: '', trouble: 'Say which site: its Site ID, as the tag names it.' });
    let current = true;
    const look = async () => {
      const { data = [], message, code } = await ask<Listed[]>('/v2/top/posts', { apikey: site, days: '30' });
      const unknown = 'there is none of this name here, or its most read list is switched off';
      const trouble = message && `The site ${site} cannot be shown: ${code === 403 ? unknown : message}.`;
      const post = trouble === '' ? await firstRelated(site, data) : '';
      if (current) setExample({ post, trouble });
    };
    setExample({ post: undefined, trouble: '' });
    void look();
    return () => {
      current = false;
    };
  }, [site]);
  return example;
}

interface Listed {
  url: string;
}

/** The post read most of those that others are related to; where there is none, the post read most. */
async function firstRelated(site: string, posts: readonly Listed[]): Promise<string> {
  for (const { url } of posts) {
    const only = { limit: '1', respect_empty_results: '1' };
    const { data = [] } = await ask<Listed[]>('/v2/related', { apikey: site, url, ...only });
    if (data.length > 0) return url;
  }
  return posts[0]?.url ?? '';
}
