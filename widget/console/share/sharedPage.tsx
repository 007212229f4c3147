// The page of a link: its one view, with the period and the filters of the link. Only the metric is the reader's.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { FORBIDDEN, UNPROCESSABLE } from '../ask.ts';
import { SkipLink } from '../bar.tsx';
import { type Choice, readChoice } from '../choice.ts';
import { ChoosingContext } from '../choiceLink.tsx';
import { Mark } from '../mark.tsx';
import { usePageTitle } from '../pageTitle.ts';
import { openShared, type Session } from '../session.ts';
import { SiteDay, TimeZone, ZoneNote } from '../siteDay.tsx';
import { Failed, Looking } from '../states.tsx';
import { SessionEnded } from '../useAnswer.ts';
import { ServerAhead, useServerAhead } from '../useToday.ts';
import { ViewOf } from '../view.tsx';
import { VIEWS } from '../views.ts';

type State = { is: 'looking' } | { is: 'ended' } | { is: 'failed'; message: string } | { is: 'in'; session: Session };

export function SharedPage() {
  const [state, setState] = useState<State>({ is: 'looking' });
  const opening = useRef<Promise<void>>(undefined);
  const look = useCallback(async () => {
    const { body, code, message } = await openShared();
    if (body) return setState({ is: 'in', session: body.data });
    // Unprocessable: the token was cut from the address.
    setState(code === FORBIDDEN || code === UNPROCESSABLE ? { is: 'ended' } : { is: 'failed', message });
  }, []);
  // One at a time: a link that has ended is refused to every table of its page at once, and guesses are counted.
  const again = useCallback(() => {
    opening.current ??= look().finally(() => {
      opening.current = undefined;
    });
  }, [look]);
  useEffect(again, [again]);
  if (state.is === 'looking') return <Looking />;
  if (state.is === 'ended') return <Ended />;
  if (state.is === 'failed')
    return (
      <main class="sign-in">
        <Failed message={state.message} retry={again} />
      </main>
    );
  return (
    <SessionEnded.Provider value={again}>
      <Shared session={state.session} />
    </SessionEnded.Provider>
  );
}

function Shared({ session }: { session: Session }) {
  const { shared } = session;
  const ahead = useServerAhead(session);
  const fixed = readChoice(shared?.search ?? '');
  const [metric, setMetric] = useState(fixed.metric);
  const choice: Choice = { ...fixed, metric };
  const choose = useCallback((change: Partial<Choice>) => change.metric && setMetric(change.metric), []);
  return (
    <ChoosingContext.Provider value={{ choice, choose, isFixed: true }}>
      <TimeZone.Provider value={session.timezone}>
        {!VIEWS[choice.view].isBare && (
          <>
            <SkipLink />
            <header class="bar">
              <Mark />
              <strong class="site">{session.site}</strong>
              <span class="soft of-link">
                <bdi>{shared?.name}</bdi>: a link to this view, until <SiteDay of={session.until} />
              </span>
              <ZoneNote />
            </header>
          </>
        )}
        <ServerAhead.Provider value={ahead}>
          <ViewOf name={choice.view} {...{ session, choice, choose }} />
        </ServerAhead.Provider>
      </TimeZone.Provider>
    </ChoosingContext.Provider>
  );
}

function Ended() {
  usePageTitle('This link opens nothing');
  return (
    <main class="sign-in">
      <section>
        <Mark />
        <div role="alert">
          <h1>This link opens nothing</h1>
          <p>It has ended or was withdrawn, or a part of its address is missing. Ask who sent it for another.</p>
        </div>
      </section>
    </main>
  );
}
