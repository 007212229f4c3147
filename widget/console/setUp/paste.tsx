// The lines to paste, at once and as short as they are; and the preview, which is loaded when a layout is to be chosen:
// the lines follow the choice.
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { Snippet } from '../../preview/copied.tsx';
import { Lines } from '../../preview/lines.tsx';
import { toSlot } from '../../preview/snippet.ts';
import { readState, writeState } from '../../preview/state.ts';
import { publicAddress, serverRoot } from '../place.ts';
import type { LayoutsProps } from './layouts.tsx';

export function Paste({ site }: { site: string }) {
  const server = publicAddress();
  const [state, setState] = useState(() => readState('', site));
  const [Layouts, setLayouts] = useState<FunctionComponent<LayoutsProps>>();
  const [trouble, setTrouble] = useState('');
  const open = () =>
    import('./layouts.tsx').then(
      (loaded) => {
        setTrouble('');
        setLayouts(() => loaded.Layouts);
      },
      () => setTrouble('Not loaded. Is the server running? If it is, reload the page.'),
    );
  return (
    <section class="sheet panel paste" aria-label="What to paste">
      <header>
        <h2>What to paste</h2>
        <a href={`${serverRoot()}/preview${writeState(state)}`} target="_blank" rel="noopener">
          Open in the preview<i aria-hidden="true"> ↗</i>
        </a>
      </header>
      <p class="layouts">
        <button
          type="button"
          class="primary"
          aria-expanded={Layouts !== undefined}
          onClick={() => (Layouts ? setLayouts(undefined) : void open())}
        >
          {Layouts ? 'Done' : 'Choose a layout and see it'}
        </button>
        {trouble && (
          <span class="trouble" role="alert">
            {trouble}
          </span>
        )}
      </p>
      {Layouts ? (
        <Layouts state={state} server={server} onChange={(change) => setState({ ...state, ...change })} />
      ) : (
        <Lines choice={state} server={server}>
          <Snippet label="Where a list of related posts is to stand" text={toSlot({ ...state, kind: 'related' })} />
          <Snippet label="Where a list of the posts read most is to stand" text={toSlot({ ...state, kind: 'top' })} />
        </Lines>
      )}
    </section>
  );
}
