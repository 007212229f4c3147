// What stands around every view: who is signed in, the navigation, and the view that the address names.
import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ChoiceLink, ChoosingContext } from './choiceLink.tsx';
import { Mark } from './mark.tsx';
import { PostSearch } from './postSearch.tsx';
import type { Session } from './session.ts';
import { Failed } from './states.tsx';
import { useChoice } from './useChoice.ts';
import type { ViewName } from './viewNames.ts';
import { VIEWS, type ViewProps } from './views.ts';

interface Loaded {
  name: ViewName;
  /** Absent where its code could not be loaded. */
  View?: FunctionComponent<ViewProps>;
}

export function Frame({ session, onSignOut }: { session: Session; onSignOut: () => void }) {
  const [choice, choose] = useChoice();
  const [loaded, setLoaded] = useState<Loaded>();
  const name = (VIEWS[choice.view].isFor?.(session) ?? true) ? choice.view : 'traffic';
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
  return (
    <ChoosingContext.Provider value={{ choice, choose }}>
      {!VIEWS[name].isBare && <Bar {...{ session, choice, onSignOut }} current={name} />}
      {shown === undefined && <p class="looking">Loading…</p>}
      {shown?.View && <shown.View {...{ session, choice, choose }} />}
      {shown !== undefined && !shown.View && (
        <Failed
          message="This part of the console could not be loaded. Is the server running?"
          retry={() => void load()}
        />
      )}
    </ChoosingContext.Provider>
  );
}

interface BarProps extends Omit<ViewProps, 'choose'> {
  current: ViewName;
  onSignOut: () => void;
}

function Bar({ session, choice, current, onSignOut }: BarProps) {
  return (
    <>
      <a class="skip" href="#figures">
        Skip to the figures
      </a>
      <header class="bar">
        <Mark />
        <strong class="site">{session.site}</strong>
        <Navigation {...{ session, choice }} current={current} />
        <PostSearch />
        <span class="soft zone">
          {session.timezone}, {session.role === 'act' ? 'may act' : 'may read'}
        </span>
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </header>
    </>
  );
}

function Navigation({ session, choice, current }: Omit<ViewProps, 'choose'> & { current: ViewName }) {
  const entries = Object.entries(VIEWS) as [ViewName, (typeof VIEWS)[ViewName]][];
  const offered = entries.filter(([, { title, isFor }]) => title !== undefined && (isFor?.(session) ?? true));
  if (offered.length < 2 && offered.some(([view]) => view === current)) return null;
  // The post of that view is no choice of the others.
  const { post: _, ...others } = choice.filters;
  const filters = current === 'post' ? others : choice.filters;
  return (
    <nav class="views" aria-label="Views">
      {offered.map(([view, { title }]) => (
        <ChoiceLink key={view} change={{ view, filters }} isCurrent={view === current}>
          {title}
        </ChoiceLink>
      ))}
    </nav>
  );
}
