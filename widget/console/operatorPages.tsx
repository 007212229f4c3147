// The operator's pages, which are loaded for the operator alone.
import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { NotLoaded } from './notLoaded.tsx';
import { Looking } from './states.tsx';

interface Props {
  onSignOut: () => void;
}

type Loaded = { Page: FunctionComponent<Props> } | 'failed';

export function OperatorPages(props: Props) {
  const [loaded, setLoaded] = useState<Loaded>();
  const load = useCallback(async () => {
    setLoaded(undefined);
    setLoaded(
      await import('./operator/operatorPage.tsx').then(
        ({ OperatorPage }) => ({ Page: OperatorPage }),
        () => 'failed' as const,
      ),
    );
  }, []);
  useEffect(() => void load(), [load]);
  if (loaded === undefined) return <Looking />;
  if (loaded !== 'failed') return <loaded.Page {...props} />;
  return <NotLoaded tryAgain={load} />;
}
