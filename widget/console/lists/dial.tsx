// The dials of related posts: the list of a post beside them, which changes while they are moved, what each setting of
// the first gives, and the setting of the site, which who may act saves.
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DIALS, type Dials } from '../../../server/contract/dials.ts';
import type { RelatedRecord } from '../../../server/contract/wire.ts';
import { DialSliders } from '../../preview/dials.tsx';
import { act, askApi, FORBIDDEN } from '../ask.ts';
import { dayIn, zoneOfDay } from '../periods.ts';
import type { Session } from '../session.ts';
import { Empty, Failed, Ghost } from '../states.tsx';
import { focusHeading } from '../takeFocus.ts';
import { SessionEnded, useAnswer } from '../useAnswer.ts';
import { Refreshes } from '../useRefreshes.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { Frontier } from './frontier.tsx';

interface Settings {
  dials: Record<keyof Dials, number | null>;
}

const POSTS = '30';

export function Dial({ session }: { session: Session }) {
  const settings = useAnswer<{ data: Settings[] }>('/v2/settings', []);
  const posts = useAnswer<{ data: { url: string; title: string }[] }>('/v2/analytics/posts', [
    ['period_start', '30d'],
    ['limit', POSTS],
  ]);
  const [post, setPost] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const listed = posts.body?.data ?? [];
  const shown = post || (listed[0]?.url ?? '');
  const failed = settings.message || posts.message;
  const saved = settings.body?.data[0]?.dials;
  const isReady = saved !== undefined && posts.body !== undefined;
  return (
    <section class="sheet dial" aria-label="The dial">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          The dial of related posts
        </h2>
      </header>
      {failed !== '' && (
        <Failed
          message={failed}
          retry={() => {
            settings.retry();
            posts.retry();
          }}
        />
      )}
      {failed === '' && !isReady && <Ghost rows={6} />}
      {isReady && shown === '' && <Empty>No post was read in 30 days, so no list can be shown beside the dials.</Empty>}
      {isReady && shown !== '' && (
        <>
          <label class="choose-post">
            <span>Below the post</span>
            <select value={shown} onInput={({ currentTarget }) => setPost(currentTarget.value)}>
              {listed.map(({ url, title }) => (
                <option key={url} value={url}>
                  {title || url}
                </option>
              ))}
            </select>
          </label>
          <Sliders
            session={session}
            post={shown}
            saved={saved}
            onSaved={() => {
              focusHeading(heading.current);
              settings.retry();
            }}
          />
        </>
      )}
    </section>
  );
}

interface SlidersProps {
  session: Session;
  post: string;
  saved: Settings['dials'];
  onSaved: () => void;
}

function Sliders({ session, post, saved, onSaved }: SlidersProps) {
  const initial = useMemo(() => asDials(saved), [JSON.stringify(saved)]);
  const ended = useContext(SessionEnded);
  const refreshes = useContext(Refreshes);
  const ask = async (params: readonly (readonly [string, string])[]) => {
    const { body, message, code } = await askApi<{ data: RelatedRecord[] }>('/v2/related', params);
    if (code === FORBIDDEN) ended();
    const data = body?.data.map((one) => ({ ...one, pub_date: dayFor(session, one.pub_date) }));
    return { ...(data && { data }), message };
  };
  return (
    <DialSliders
      key={JSON.stringify(saved)}
      ask={ask}
      refreshes={refreshes}
      question={[['url', post]]}
      initial={initial}
      beside={({ mix }, move) => <Frontier session={session} mix={mix} onChoose={(next) => move('mix', next)} />}
    >
      {(dials) => <Save {...{ session, dials, initial, saved, onSaved }} />}
    </DialSliders>
  );
}

/** The day of a publication by the clock of the site; "" for none. */
function dayFor({ timezone }: Session, published: string): string {
  const at = Date.parse(published);
  return Number.isNaN(at) ? '' : dayIn(zoneOfDay(timezone, at), at);
}

interface SaveProps extends Omit<SlidersProps, 'post'> {
  dials: Dials;
  /** Where the sliders stood at first. */
  initial: Dials;
}

function Save({ session, dials, initial, saved, onSaved }: SaveProps) {
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setSaid(''), [JSON.stringify(dials)]);
  // A dial that was not moved keeps its default, which may be another one for a reader whose visits are known.
  const moved = DIALS.filter(({ name }) => dials[name] !== initial[name]);
  const hasNone = DIALS.every(({ name }) => saved[name] === null);
  const save = async (next: Partial<Record<keyof Dials, number | null>>) => {
    setBusy(true);
    const { message } = await act(session.token, '/v2/settings', { dials: next });
    setBusy(false);
    setSaid(message);
    if (message === '') onSaved();
  };
  return (
    <div class="save">
      <p class="soft">{hasNone ? 'The site has no setting of its own.' : `The site has ${inWords(saved)}.`}</p>
      {session.role === 'act' ? (
        <>
          <WaitingButton
            type="button"
            class="primary"
            isBusy={isBusy || moved.length === 0}
            onClick={() => void save(valuesOf(moved, dials))}
          >
            {isBusy ? 'Saving…' : moved.length > 0 || hasNone ? 'Save for the site' : 'Saved'}
          </WaitingButton>
          {!hasNone && (
            <WaitingButton type="button" isBusy={isBusy} onClick={() => void save(asNone())}>
              Back to the defaults
            </WaitingButton>
          )}
        </>
      ) : (
        <p class="soft">To save it, sign in with the write secret.</p>
      )}
      {said !== '' && (
        <p class="trouble" role="alert">
          {said}
        </p>
      )}
    </div>
  );
}

const valuesOf = (some: readonly { name: keyof Dials }[], dials: Dials): Partial<Dials> =>
  Object.fromEntries(some.map(({ name }) => [name, dials[name]]));

const asDials = (saved: Settings['dials']): Dials =>
  Object.fromEntries(DIALS.map(({ name }) => [name, saved[name] ?? 0])) as unknown as Dials;

const asNone = (): Partial<Record<keyof Dials, null>> => Object.fromEntries(DIALS.map(({ name }) => [name, null]));

const inWords = (saved: Settings['dials']): string =>
  DIALS.flatMap(({ name, label }) => (saved[name] === null ? [] : [`${label.toLowerCase()} ${saved[name]}`])).join(
    ', ',
  );
