// The form of a reader who is not signed in, or not any more.
import { useEffect, useRef, useState } from 'preact/hooks';
import { FORBIDDEN } from './ask.ts';
import { Mark } from './mark.tsx';
import { usePageTitle } from './pageTitle.ts';
import { placeOf, providerOf, showSite } from './place.ts';
import { type OperatorSession, type Session, signIn, signInOperator } from './session.ts';
import { focusHeading } from './takeFocus.ts';
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

interface Props {
  why: string;
  onSignedIn: () => void;
}

export function SignIn(props: Props) {
  usePageTitle('Sign in');
  return (
    <main class="sign-in">
      <Form {...props} />
    </main>
  );
}

/**
 * The form in front of a page whose session has ended.
 * @param props.onSignedIn Called as well where another tab may have signed in.
 */
export function SignInAgain({ session, ...props }: Props & { session: Session | OperatorSession }) {
  const { onSignedIn } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current!;
    const before = document.activeElement as HTMLElement | null;
    shown.showModal();
    shown.querySelector<HTMLInputElement>('[name=secret]')?.focus();
    return () => {
      shown.close();
      // It is closed by its removal, which returns the focus to none.
      focusHeading(before);
    };
  }, []);
  useEffect(() => {
    const look = () => document.hidden || onSignedIn();
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, [onSignedIn]);
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      // Some browsers close it at the second press of Escape all the same.
      onClose={() => dialog.current?.showModal()}
    >
      <Form {...props} session={session} />
    </dialog>
  );
}

/** @param props.session The one that has ended. Absent: the page has shown nothing yet. */
function Form({ why, onSignedIn, session }: Props & { session?: Session | OperatorSession }) {
  const isOperator = session?.role === 'operator' || session?.operator === true;
  const [who, setWho] = useState<Who>(isOperator ? 'operator' : 'site');
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
    if (body) {
      // To another site than that of the page, it becomes one of that.
      if (body.data.role !== 'operator') showSite(body.data.site);
      return onSignedIn();
    }
    setTrouble(code === FORBIDDEN ? wrong : sentenceFor(code, message));
    form.querySelector<HTMLInputElement>('[name=secret]')?.focus();
  };
  const change = () => {
    setWho(who === 'site' ? 'operator' : 'site');
    setTrouble('');
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Mark />
      <h1>Sign in</h1>
      <p class="soft">What is read, by how many, and where they come from.</p>
      {why && <p role="status">{why}</p>}
      {provider && (
        <>
          <a class="primary" href={provider.href} {...(session && { target: '_blank', rel: 'noopener' })}>
            Sign in with {provider.name}
          </a>
          <p class="soft">{session && 'In a tab of its own: come back to this one afterwards. '}Or with a secret:</p>
        </>
      )}
      {who === 'site' && (
        <label>
          <span>Site ID</span>
          <input
            name="site"
            defaultValue={session?.role === 'operator' ? placeOf().site : (session?.site ?? placeOf().site)}
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
  );
}

const sentenceFor = (code: number, message: string): string =>
  code === TOO_MANY ? 'Too many wrong secrets came from this network. Try again in a minute.' : message;
