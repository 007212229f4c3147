// Signed in or not, and the page for either.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { FORBIDDEN } from './ask.ts';
import { Frame } from './frame.tsx';
import { OperatorPages } from './operatorPages.tsx';
import { placeOf, showSite } from './place.ts';
import { type OperatorSession, readSession, type Session, signOut } from './session.ts';
import { SignIn } from './signIn.tsx';
import { Failed } from './states.tsx';
import { SessionEnded } from './useAnswer.ts';

type State =
  | { is: 'looking' }
  | { is: 'failed'; message: string }
  | { is: 'out'; why: string }
  | { is: 'in'; session: Session | OperatorSession };

export function App() {
  const [state, setState] = useState<State>({ is: 'looking' });
  const look = useCallback(async (wasIn: boolean) => {
    const { body, code, message } = await readSession();
    const { root, site } = placeOf();
    // Who is signed in to a site has its console at the root.
    if (body && site !== undefined && body.data.role !== 'operator' && !body.data.operator) {
      if (body.data.site === site) return location.replace(root + location.search);
      const why = `You are signed in to ${body.data.site}, and this page is of ${site}. Sign in to ${site} to see it.`;
      return setState({ is: 'out', why });
    }
    // Whether there is a session is not known: what is shown, and typed there, stays.
    if (!body && code !== FORBIDDEN) return wasIn ? undefined : setState({ is: 'failed', message });
    showSite(body?.data.role === 'operator' ? undefined : body?.data.site);
    if (body) return setState({ is: 'in', session: body.data });
    const ended = 'Your session has ended. Sign in again: what you chose is still in the address.';
    setState({ is: 'out', why: wasIn ? ended : '' });
  }, []);
  useEffect(() => void look(false), [look]);
  const ended = useCallback(() => void look(true), [look]);
  if (state.is === 'looking') return <p class="looking">Loading…</p>;
  if (state.is === 'failed')
    return (
      <main class="sign-in">
        <Failed message={state.message} retry={() => void look(false)} />
      </main>
    );
  if (state.is === 'out') return <SignIn why={state.why} onSignedIn={() => void look(false)} />;
  const leave = async () => {
    const { message, code } = await signOut(state.session);
    const isOut = message === '' || code === FORBIDDEN;
    // Who signs in next is asked for no site of before.
    showSite(undefined);
    setState({ is: 'out', why: isOut ? 'You have signed out.' : `You are still signed in. ${message}` });
  };
  return (
    <SessionEnded.Provider value={ended}>
      {state.session.role === 'operator' ? (
        <OperatorPages onSignOut={() => void leave()} />
      ) : (
        <Frame key={state.session.site} session={state.session} onSignOut={() => void leave()} />
      )}
    </SessionEnded.Provider>
  );
}
