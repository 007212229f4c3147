// One view: its code is loaded when it is first opened.
import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Failed } from './states.tsx';
import type { ViewName } from './viewNames.ts';
import { VIEWS, type ViewProps } from './views.ts';

interface Loaded {
  name: ViewName;
  /** Absent where its code could not be loaded. */
  View?: FunctionComponent<ViewProps>;
}

export function ViewOf({ name, ...props }: ViewProps & { name: ViewName }) {
  const [loaded, setLoaded] = useState<Loaded>();
  const load = useCallback(async () => {
    setLoaded(
      await VIEWS[name]
        .load()
        .then((View) => ({ name, View }))
        .catch(() => ({ name })),
    );
  }, [name]);
  useEffect(() => void load(), [load]);
  const shown = loaded?.name === name ? loaded : undefined;
  if (shown === undefined) return <p class="looking">Loading…</p>;
  if (shown.View) return <shown.View {...props} />;
  return (
    <Failed message="This part of the console could not be loaded. Is the server running?" retry={() => void load()} />
  );
}
