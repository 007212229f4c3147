// One view: its code is loaded when it is first opened.
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NotLoaded } from './notLoaded.tsx';
import { usePageTitle } from './pageTitle.ts';
import { useFocusOfView } from './takeFocus.ts';
import type { ViewName } from './viewNames.ts';
import { VIEWS, type ViewProps } from './views.ts';

interface Loaded {
  name: ViewName;
  /** Absent where its code could not be loaded. */
  View?: FunctionComponent<ViewProps>;
}

export function ViewOf({ name, ...props }: ViewProps & { name: ViewName }) {
  usePageTitle(VIEWS[name].title, props.session.site);
  const [loaded, setLoaded] = useState<Loaded>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    // The code of a view that was left meanwhile may come last.
    let isCurrent = true;
    void VIEWS[name]
      .load()
      .then(
        (View): Loaded => ({ name, View }),
        (): Loaded => ({ name }),
      )
      .then((one) => isCurrent && setLoaded(one));
    return () => {
      isCurrent = false;
    };
  }, [name, tries]);
  const shown = loaded?.name === name ? loaded : undefined;
  useFocusOfView(shown?.View !== undefined);
  if (shown === undefined) return <p class="looking">Loading…</p>;
  if (shown.View) return <shown.View {...props} />;
  return <NotLoaded tryAgain={() => setTries(tries + 1)} />;
}
