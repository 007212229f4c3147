// Signed in or not, and the page for either. Where a session ends, the page stays below a sign-in: what is typed there
// is not lost.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CHANGE_REFUSED, FORBIDDEN } from './ask.ts';
import { Frame } from './frame.tsx';
import { OperatorPages } from './operatorPages.tsx';
import { placeOf, showSite } from './place.ts';
import { type OperatorSession, readSession, type Session, signOut } from './session.ts';
import { SignIn, SignInAgain } from './signIn.tsx';
import { Failed, Looking } from './states.tsx';
import { SessionEnded } from './useAnswer.ts';
import { Refreshes } from './useRefreshes.ts';

type State =
  | { is: 'looking' }
  | { is: 'failed'; message: string }
  | { is: 'out'; why: string }
  | {
      is: 'in';
      session: Session | OperatorSession;
      /** Sessions of this page before: with each new one, questions are asked again. */
      earlier: number;
      /** Why one has to sign in again. Absent: the session is valid. */
      ended?: string;
    };

const ENDED = 'Your session has ended. Sign in again: the page below stays as it is, with what is typed there.';
const READS =
  'You are signed in to read only. Sign in with the write secret: the page below stays as it is, with what is typed there. To read only, load the page again.';

export function App() {
  const [state, setState] = useState<State>({ is: 'looking' });
  const looks = useRef(0);
  const look = useCallback(async () => {
    const mine = ++looks.current;
    const { body, code, message } = await readSession();
    // One that began later knows better: a sign-in or a sign-out may have come meanwhile.
    if (mine !== looks.current) return;
    const { root, site, shown } = placeOf();
    const of = site ?? shown;
    if (body && of !== undefined && body.data.role !== 'operator' && !body.data.operator) {
      const { site: signedIn } = body.data;
      // Who is signed in to a site has its console at the root.
      if (signedIn === site) return location.replace(root + location.search);
      // Another tab may have signed in to another site: what is shown, and typed there, is of this one.
      const orElse = site === undefined ? `, or load the page again to see ${signedIn}` : '';
      const why = `You are signed in to ${signedIn}, and this page is of ${of}. Sign in to ${of} to see it${orElse}.`;
      if (signedIn !== of) return setState((last) => without(last, why));
    }
    // Whether there is a session is not known: what is shown, and typed there, stays.
    if (!body && code !== FORBIDDEN) return setState((last) => (last.is === 'in' ? last : { is: 'failed', message }));
    if (!body) return setState((last) => (last.is === 'out' ? last : without(last, last.is === 'in' ? ENDED : '')));
    showSite(body.data.role === 'operator' ? undefined : body.data.site);
    setState((last) => within(last, body.data));
  }, []);
  useEffect(() => {
    void look();
    addEventListener(CHANGE_REFUSED, look);
    return () => removeEventListener(CHANGE_REFUSED, look);
  }, [look]);
  if (state.is === 'looking') return <Looking />;
  if (state.is === 'failed')
    return (
      <main class="sign-in">
        <Failed message={state.message} retry={look} />
      </main>
    );
  if (state.is === 'out') return <SignIn why={state.why} onSignedIn={look} />;
  const { session, earlier, ended } = state;
  const leave = async () => {
    const { message, code } = await signOut(session);
    const isOut = message === '' || code === FORBIDDEN;
    looks.current++;
    // Who signs in next is asked for no site of before.
    showSite(undefined);
    setState({ is: 'out', why: isOut ? 'You have signed out.' : `You are still signed in. ${message}` });
  };
  return (
    <SessionEnded.Provider value={look}>
      <Refreshes.Provider value={earlier}>
        {session.role === 'operator' ? (
          <OperatorPages onSignOut={leave} />
        ) : (
          <Frame key={session.site} session={session} onSignOut={leave} />
        )}
        {ended !== undefined && <SignInAgain why={ended} session={session} onSignedIn={look} />}
      </Refreshes.Provider>
    </SessionEnded.Provider>
  );
}

/** A page that is shown stays, below the sign-in. */
const without = (last: State, why: string): State => (last.is === 'in' ? { ...last, ended: why } : { is: 'out', why });

function within(last: State, session: Session | OperatorSession): State {
  if (last.is !== 'in') return { is: 'in', session, earlier: 0 };
  // A page that only reads has no forms: what is typed in those of this one would be gone.
  if (session.role === 'read' && last.session.role === 'act' && last.session.site === session.site)
    return without(last, READS);
  return { is: 'in', session, earlier: last.earlier + (last.session.token === session.token ? 0 : 1) };
}
