// The whole of it. What is chosen is in the address of the page.
import { useContext, useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { Check } from './check.tsx';
import { Chooser } from './chooser.tsx';
import { DialCommand, DialSliders } from './dials.tsx';
import { filtersOf } from './options.ts';
import { ServerRoot } from './serverRoot.ts';
import { Snippets } from './snippets.tsx';
import { readState, type State, writeState } from './state.ts';
import { useSettled } from './useSettled.ts';
import { Why } from './why.tsx';

export function App({ server, site }: { server: string; site: string }) {
  const [state, setState] = useState(() => readState(location.search, site));
  const settled = useSettled(state);
  useEffect(() => history.replaceState(null, '', writeState(settled)), [settled]);
  return (
    <>
      <header>
        <h1>Preview</h1>
        <p>Choose a list, look at it, copy it. No view is counted here.</p>
      </header>
      <main>
        <Chooser state={state} asksSite onChange={(change) => setState({ ...state, ...change })}>
          {(shown, post) => (
            <>
              {state.kind === 'related' && <DialSection choice={shown} post={post} />}
              {state.kind === 'related' && <Why choice={shown} post={post} />}
              <section aria-label="What to copy">
                <h2>Copy this</h2>
                <Snippets choice={state} server={server} />
              </section>
              <section aria-label="Check a page">
                <h2>Check your page</h2>
                <Check site={state.site} />
              </section>
            </>
          )}
        </Chooser>
      </main>
    </>
  );
}

/** @param post Page the list is for. */
function DialSection({ choice, post }: { choice: State; post: string }) {
  const { site } = choice;
  const root = useContext(ServerRoot);
  const question = [['apikey', site] as const, ['url', post] as const, ...filtersOf(choice)];
  return (
    <section aria-label="Dials">
      <h2>Dials</h2>
      <DialSliders
        ask={(params) =>
          ask(
            `${root}/v2/related`,
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
