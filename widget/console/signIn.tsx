// The form of a reader who is not signed in.
import { useState } from 'preact/hooks';
import { FORBIDDEN } from './ask.ts';
import { Mark } from './mark.tsx';
import { usePageTitle } from './pageTitle.ts';
import { placeOf, providerOf } from './place.ts';
import { signIn, signInOperator } from './session.ts';
import { WaitingButton } from './waitingButton.tsx';

const TOO_MANY = 429;

/** What one signs in with: to a site, or as the operator of the server. */
type Who = 'site' | 'operator';

const SECRETS: Readonly<Record<Who, { label: string; hint: string; wrong: string; other: string }>> = {
  site: {
    label: 'Secret',
    hint: 'The read secret shows figures; with the write secret you may also act.',
    wrong:
      'Site ID and secret do not belong together. Secrets are shown once: "afterword site rotate-secret" makes a new one.',
    other: 'Use the operator’s token',
  },
  operator: {
    label: 'Token',
    hint: 'All sites, and the state of the server. "afterword operator token" makes one.',
    wrong: 'This is not the operator’s token. It is shown once: "afterword operator token" makes a new one.',
    other: 'Use a site’s secret',
  },
};

export function SignIn({ why, onSignedIn }: { why: string; onSignedIn: () => void }) {
  usePageTitle('Sign in');
  const [who, setWho] = useState<Who>('site');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const { label, hint, wrong, other } = SECRETS[who];
  const provider = providerOf();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const said = new FormData(form);
    const read = (name: string) => String(said.get(name)).trim();
    setBusy(true);
    const { body, code, message } = await (who === 'site'
      ? signIn(read('site'), read('secret'))
      : signInOperator(read('secret')));
    setBusy(false);
    if (body) return onSignedIn();
    setTrouble(code === FORBIDDEN ? wrong : sentenceFor(code, message));
    form.querySelector<HTMLInputElement>('[name=secret]')?.focus();
  };
  const change = () => {
    setWho(who === 'site' ? 'operator' : 'site');
    setTrouble('');
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Sign in</h1>
        <p class="soft">What is read, by how many, and where they come from.</p>
        {why && <p role="status">{why}</p>}
        {provider && (
          <>
            <a class="primary" href={provider.href}>
              Sign in with {provider.name}
            </a>
            <p class="soft">Or with a secret:</p>
          </>
        )}
        {who === 'site' && (
          <label>
            <span>Site ID</span>
            <input
              name="site"
              defaultValue={placeOf().site}
              required
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
            />
          </label>
        )}
        <label key={who}>
          <span>{label}</span>
          <input name="secret" type="password" required autocomplete="current-password" />
        </label>
        <p class="hint">{hint}</p>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <WaitingButton type="submit" class="primary" isBusy={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </WaitingButton>
        <button type="button" class="plain" onClick={change}>
          {other}
        </button>
      </form>
    </main>
  );
}

const sentenceFor = (code: number, message: string): string =>
  code === TOO_MANY ? 'Too many wrong secrets came from this network. Try again in a minute.' : message;
