// The form of a reader who is not signed in.
import { useState } from 'preact/hooks';
import { FORBIDDEN } from './ask.ts';
import { Mark } from './mark.tsx';
import { type Session, signIn } from './session.ts';

const TOO_MANY = 429;

export function SignIn({ why, onSignedIn }: { why: string; onSignedIn: (session: Session) => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const said = new FormData(form);
    setBusy(true);
    const { body, code, message } = await signIn(String(said.get('site')).trim(), String(said.get('secret')).trim());
    setBusy(false);
    if (body) return onSignedIn(body.data);
    setTrouble(sentenceFor(code, message));
    form.querySelector<HTMLInputElement>('[name=secret]')?.focus();
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Sign in</h1>
        <p class="soft">What is read, by how many, and where they come from.</p>
        {why && <p role="status">{why}</p>}
        <label>
          <span>Site ID</span>
          <input name="site" required autocomplete="username" autocapitalize="none" spellcheck={false} />
        </label>
        <label>
          <span>Secret</span>
          <input name="secret" type="password" required autocomplete="current-password" />
        </label>
        <p class="hint">The read secret shows figures; with the write secret you may also act.</p>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

function sentenceFor(code: number, message: string): string {
  if (code === FORBIDDEN)
    return 'Site ID and secret do not belong together. Secrets are shown once: "afterword site rotate-secret" makes a new one.';
  if (code === TOO_MANY) return 'Too many wrong secrets came from this network. Try again in a minute.';
  return message;
}
