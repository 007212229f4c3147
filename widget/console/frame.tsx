// What stands around every view: who is signed in, the navigation, and the view that the address names.
import { useRef } from 'preact/hooks';
import { Bar } from './bar.tsx';
import { ChoiceLink, ChoosingContext } from './choiceLink.tsx';
import { placeOf } from './place.ts';
import { PostSearch } from './postSearch.tsx';
import type { Session } from './session.ts';
import { ShareButton } from './share/shareButton.tsx';
import { TimeZone, ZoneNote } from './siteDay.tsx';
import { useChoice } from './useChoice.ts';
import { ServerAhead, useServerAhead } from './useToday.ts';
import { ViewOf } from './view.tsx';
import type { ViewName } from './viewNames.ts';
import { VIEWS, type ViewProps } from './views.ts';

export function Frame({ session, onSignOut }: { session: Session; onSignOut: () => void }) {
  const [choice, choose] = useChoice();
  const loaded = useRef(choice);
  const ahead = useServerAhead(session);
  const name = (VIEWS[choice.view].isFor?.(session) ?? true) ? choice.view : 'traffic';
  return (
    <ChoosingContext.Provider value={{ choice, choose, hasChosen: choice !== loaded.current }}>
      <TimeZone.Provider value={session.timezone}>
        <ServerAhead.Provider value={ahead}>
          {!VIEWS[name].isBare && <SiteBar {...{ session, choice, onSignOut }} current={name} />}
          <ViewOf name={name} {...{ session, choice, choose }} />
        </ServerAhead.Provider>
      </TimeZone.Provider>
    </ChoosingContext.Provider>
  );
}

interface BarProps extends Omit<ViewProps, 'choose'> {
  current: ViewName;
  onSignOut: () => void;
}

function SiteBar({ session, choice, current, onSignOut }: BarProps) {
  return (
    <Bar onSignOut={onSignOut}>
      {session.operator && (
        <a class="back" href={placeOf().root}>
          All sites
        </a>
      )}
      <strong class="site">{session.site}</strong>
      <ZoneNote />
      <Navigation {...{ session, choice }} current={current} />
      <PostSearch />
      <span class="soft zone" title={session.timezone}>
        {session.timezone}
        <span class="role">, {session.operator ? 'operator' : session.role === 'act' ? 'may act' : 'may read'}</span>
      </span>
      {VIEWS[current].canBeShared && <ShareButton session={session} choice={choice} />}
    </Bar>
  );
}

function Navigation({ session, choice, current }: Omit<ViewProps, 'choose'> & { current: ViewName }) {
  const entries = Object.entries(VIEWS) as [ViewName, (typeof VIEWS)[ViewName]][];
  const offered = entries.filter(([, { isUnlisted, isFor }]) => !isUnlisted && (isFor?.(session) ?? true));
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
