// What one may do with a post: have its page read again, hide it, show it. Each says what came of it.
import { useEffect, useState } from 'preact/hooks';
import type { StoredPostRecord } from '../../../server/contract/wire.ts';
import { act } from '../ask.ts';
import { failureOf } from '../crawlFailures.ts';
import type { Session } from '../session.ts';
import { Failed } from '../states.tsx';
import type { Answered } from '../useAnswer.ts';
import { WaitingButton } from '../waitingButton.tsx';
import type { Stored } from './postView.tsx';

interface Props {
  session: Session;
  post: StoredPostRecord;
  answered: Answered<Stored>;
}

/** A page that was asked for is read within seconds, unless its host is slow or has just been asked. */
const LOOK_MS = 1_500;
const LOOKS = 20;

export function Actions({ session, post, answered }: Props) {
  const { url } = post.stored;
  const [says, setSays] = useState('');
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  const reading = useReading(post, answered.retry);
  if (session.role !== 'act')
    return (
      <p class="hint">
        Reading the page again, hiding and showing it need a session that may act: sign in with the write secret.
      </p>
    );
  const change = async (path: string, done: string): Promise<boolean> => {
    setBusy(true);
    setSays('');
    const { message } = await act<object>(session.token, path, undefined, [['url', url]]);
    setBusy(false);
    setTrouble(message);
    setSays(message === '' ? done : '');
    if (message === '') answered.retry();
    return message === '';
  };
  const read = async () => {
    if (await change('/v2/crawl', '')) reading.begin();
  };
  const hide = () => change('/v2/exclude/ignore', 'Hidden: lists and figures leave it out from now on, for 90 days.');
  const show = () => change('/v2/exclude/include', 'Shown again, in lists and figures.');
  return (
    <div class="actions">
      <WaitingButton type="button" isBusy={isBusy || reading.isOn} onClick={() => void read()}>
        {reading.isOn ? 'Reading…' : 'Read again'}
      </WaitingButton>
      {post.hidden ? (
        <WaitingButton type="button" isBusy={isBusy} onClick={() => void show()}>
          Show
        </WaitingButton>
      ) : (
        <WaitingButton type="button" isBusy={isBusy} onClick={() => void hide()}>
          Hide
        </WaitingButton>
      )}
      <span role="status">{says || reading.says}</span>
      {trouble !== '' && (
        <span role="alert" class="trouble">
          {trouble}
        </span>
      )}
      {answered.message !== '' && !reading.isOn && <Failed message={answered.message} retry={answered.retry} />}
    </div>
  );
}

interface Reading {
  isOn: boolean;
  says: string;
  begin(): void;
}

/** Looks whether a page that was asked for has been read. */
function useReading(post: StoredPostRecord, look: () => void): Reading {
  const [before, setBefore] = useState<StoredPostRecord>();
  const [looks, setLooks] = useState(0);
  const isOver = looks > 0 && post !== before && post.crawl?.requested !== true;
  const isOn = before !== undefined && !isOver && looks < LOOKS;
  useEffect(() => {
    if (!isOn) return;
    const pause = setTimeout(() => {
      setLooks(looks + 1);
      look();
    }, LOOK_MS);
    return () => clearTimeout(pause);
  }, [isOn, looks]);
  const begin = () => {
    setBefore(post);
    setLooks(0);
  };
  return { isOn, says: before === undefined ? '' : sentenceOf(before, post, { isOn, isOver }), begin };
}

function sentenceOf(
  before: StoredPostRecord,
  now: StoredPostRecord,
  { isOn, isOver }: Pick<Reading, 'isOn'> & { isOver: boolean },
) {
  if (isOn) return 'Asked for: its page is read next.';
  if (!isOver) return 'Still in the queue: its host may have been asked too often just now. Look again later.';
  const { failure = '' } = now.crawl ?? {};
  if (failure !== '') return `It could not be read: ${failureOf(failure)}`;
  const isSame = JSON.stringify(before.stored) === JSON.stringify(now.stored);
  return `Read: ${isSame ? 'nothing that is stored has changed.' : 'what is stored has changed.'}`;
}
