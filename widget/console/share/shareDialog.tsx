// Links that show what is shown now to all who have them: made, listed and revoked here.
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Asked, FORBIDDEN } from '../ask.ts';
import { type Choice, writeChoice } from '../choice.ts';
import { Field } from '../field.tsx';
import { placeOf } from '../place.ts';
import { isSecondClick } from '../secondClick.ts';
import type { Session } from '../session.ts';
import { SiteDay } from '../siteDay.tsx';
import { Empty, Failed, Ghost } from '../states.tsx';
import { focusHeading } from '../takeFocus.ts';
import { SessionEnded } from '../useAnswer.ts';
import { Refreshes } from '../useRefreshes.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { listShares, type MadeShare, makeShare, revokeShare, type Share } from './shares.ts';

interface Props {
  session: Session;
  choice: Choice;
  onClose: () => void;
}

export function ShareDialog({ session, choice, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [shares, setShares] = useState<readonly Share[]>();
  const [trouble, setTrouble] = useState('');
  const ended = useContext(SessionEnded);
  const refreshes = useContext(Refreshes);
  const read = useCallback(async () => {
    setTrouble('');
    const { body, message, code } = await listShares();
    if (code === FORBIDDEN) ended();
    setTrouble(message);
    if (body) setShares(body.data);
  }, [ended]);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => void read(), [read, refreshes]);
  const mayAct = session.role === 'act';
  const revoked = () => {
    focusHeading(heading.current);
    void read();
  };
  return (
    <dialog ref={dialog} class="share" aria-labelledby="share-title" onClose={onClose}>
      <div class="top">
        <h2 id="share-title">Share this view</h2>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p class="soft">
        A link shows this view, with its period and its filters, to all who have it, without a secret. It shows nothing
        else and changes nothing.
      </p>
      {mayAct ? (
        <ShareForm session={session} choice={choice} onMade={() => void read()} />
      ) : (
        <p class="note">You may read. Who is signed in with the write secret makes and revokes links.</p>
      )}
      <section aria-labelledby="share-list">
        <h3 id="share-list" ref={heading} tabIndex={-1}>
          Links that are valid now
        </h3>
        {trouble !== '' && <Failed message={trouble} retry={() => void read()} />}
        {trouble === '' && shares === undefined && <Ghost rows={2} />}
        {trouble === '' && shares?.length === 0 && <Empty>There is none.</Empty>}
        {trouble === '' && shares !== undefined && shares.length > 0 && (
          <ul>
            {shares.map((share) => (
              <Row key={share.id} {...{ share, session }} onRevoked={revoked} />
            ))}
          </ul>
        )}
      </section>
    </dialog>
  );
}

const DAYS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '365 days'],
] as const;

const SHOWS = [
  ['now', 'Now'],
  ['wall', 'Now, on a wall'],
] as const;

function ShareForm({ session, choice, onMade }: Omit<Props, 'onClose'> & { onMade: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [asked, setAsked] = useState<Asked<{ data: MadeShare }>>();
  // It stays where the next one fails: its address is shown at no other time.
  const [made, setMade] = useState<MadeShare>();
  const [shows, setShows] = useState('now');
  const [isBusy, setBusy] = useState(false);
  const view = choice.view === 'now' && shows === 'wall' ? 'wall' : choice.view;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setAsked(undefined);
    const answer = await makeShare(session.token, {
      name,
      days: Number(days),
      search: writeChoice({ ...choice, view }),
    });
    setBusy(false);
    setAsked(answer);
    if (answer.body === undefined) return;
    setMade(answer.body.data);
    setName('');
    onMade();
  };
  const { errors = {}, message = '' } = asked ?? {};
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field
        label="Name"
        value={name}
        hint="What it is for: it stands in this list, and on the page of the link."
        errors={errors.name}
        onInput={setName}
      />
      <Field label="Ends after" value={days} choices={DAYS} errors={errors.days} onInput={setDays} />
      {choice.view === 'now' && (
        <Field label="Shows" value={shows} choices={SHOWS} errors={undefined} onInput={setShows} />
      )}
      <WaitingButton type="submit" class="primary" isBusy={isBusy}>
        {isBusy ? 'Making…' : 'Make a link'}
      </WaitingButton>
      {message !== '' && !errors.name && !errors.days && (
        <p class="trouble" role="alert">
          {message}
        </p>
      )}
      {made && <Made key={made.id} share={made} />}
    </form>
  );
}

/** The address is shown this once: the server does not know what opens it. */
function Made({ share: { name, path } }: { share: MadeShare }) {
  const address = new URL(placeOf().root + path, location.href).href;
  const field = useRef<HTMLInputElement>(null);
  // It says what came of the form, and may be copied by the keyboard.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const [says, setSays] = useState('');
  const copy = async () => {
    setSays('');
    field.current?.select();
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    setSays(isCopied ? 'Copied.' : 'Copy it with the keyboard: it is selected.');
  };
  return (
    <div class="made">
      <label for="share-address">
        The link, shown this once: <bdi>{name}</bdi>
      </label>
      <input id="share-address" ref={field} readOnly value={address} />
      <button type="button" class="primary" onClick={() => void copy()}>
        Copy
      </button>
      <span role="status">{says}</span>
    </div>
  );
}

function Row({ share, session, onRevoked }: { share: Share; session: Session; onRevoked: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const [trouble, setTrouble] = useState('');
  const revoke = async () => {
    const { message, code } = await revokeShare(session.token, share.id);
    // Gone already: the list says so.
    if (message !== '' && code !== 404) return setTrouble(message);
    onRevoked();
  };
  return (
    <li data-key={share.id}>
      <span>
        <bdi>{share.name}</bdi>
        <small class="soft">
          until <SiteDay of={share.until} />
        </small>
      </span>
      <a href={share.search || '?'}>
        Show<span class="hidden"> what {share.name} shows</span>
      </a>
      {session.role === 'act' && (
        <button
          type="button"
          class={isAsked ? 'primary' : 'plain'}
          onClick={(event) => isSecondClick(event) || (isAsked ? void revoke() : setAsked(true))}
        >
          {isAsked ? 'Revoke now' : 'Revoke'}
          <span class="hidden"> {share.name}</span>
        </button>
      )}
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
    </li>
  );
}
