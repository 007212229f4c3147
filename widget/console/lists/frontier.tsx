// What each setting of the mix dial gives on the views of the site's own readers: measured where someone asks for it,
// drawn beside the slider, which a click on a setting moves.
import { useContext, useRef, useState } from 'preact/hooks';
import type { FrontierPointRecord, FrontierRecord, FrontierResult } from '../../../server/contract/frontier.ts';
import { act } from '../ask.ts';
import { toClock, toFigure, toShare } from '../figures.ts';
import { useLive } from '../now/useLive.ts';
import type { Session } from '../session.ts';
import { Failed, Ghost, Stale } from '../states.tsx';
import { focusHeading } from '../takeFocus.ts';
import { SessionEnded } from '../useAnswer.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { FrontierPicture } from './frontierPicture.tsx';

interface Props {
  session: Session;
  /** Where the slider stands. */
  mix: number;
  onChoose: (mix: number) => void;
}

interface Answer {
  data: [FrontierRecord];
}

const FRONTIER = '/v2/frontier';
const WATCH_MS = 1_500;

const pauseAfter = ({ data: [{ state }] }: Answer): number | undefined => (state === 'running' ? WATCH_MS : undefined);

export function Frontier(props: Props) {
  const ended = useContext(SessionEnded);
  const { body, message, pause, retry } = useLive<Answer>(FRONTIER, [], ended, pauseAfter);
  const record = body?.data[0];
  const heading = useRef<HTMLHeadingElement>(null);
  const [wasBegun, setBegun] = useState(false);
  const begun = () => {
    setBegun(true);
    focusHeading(heading.current);
    retry();
  };
  return (
    <section class="frontier" aria-label="What each setting gives">
      <h3 ref={heading} tabIndex={-1}>
        What each setting gives
      </h3>
      {/* Beginning and end alone: the count of views changes every second. */}
      <p class="hidden" role="status">
        {record?.progress ? 'It is being measured.' : wasBegun && record?.state === 'measured' ? 'It is measured.' : ''}
      </p>
      {record === undefined && (message === '' ? <Ghost rows={6} /> : <Failed message={message} retry={retry} />)}
      {message !== '' && record !== undefined && <Stale message={message} pause={pause} retry={retry} />}
      {record && <Known {...props} record={record} onBegun={begun} />}
    </section>
  );
}

interface KnownProps extends Props {
  record: FrontierRecord;
  /** A measurement has begun. */
  onBegun: () => void;
}

function Known({ session, mix, onChoose, record, onBegun }: KnownProps) {
  const { state, progress, reason, result } = record;
  return (
    <>
      {reason !== null && (
        <p class={state === 'failed' ? 'trouble' : 'lacking'} role="status">
          {reason}
        </p>
      )}
      {result && <Result result={result} mix={mix} onChoose={onChoose} />}
      {state === 'none' && (
        <p class="soft">
          Not measured yet. It goes through what your readers read in the last four weeks, and finds for ten settings of
          “Page or readers” how much of the page’s own list stays, and how well the list predicts what was read next.
          That takes seconds to minutes, beside everything else, and changes nothing.
        </p>
      )}
      {result && (
        <p class="soft">
          Measured {toClock(result.measured, session.timezone)}, on {toFigure(result.views)} views of{' '}
          {measuredPosts(result)}.
        </p>
      )}
      {progress ? <Progress {...progress} /> : <Begin session={session} isFirst={result === null} onBegun={onBegun} />}
    </>
  );
}

const measuredPosts = ({ posts, all_posts }: FrontierResult): string =>
  posts < all_posts ? `the newest ${toFigure(posts)} of ${toFigure(all_posts)} posts` : `${toFigure(posts)} posts`;

const Progress = ({ done, total }: { done: number; total: number }) => (
  <p class="measuring">
    <progress aria-label="Measured" {...(total > 0 && { value: done, max: total })} />{' '}
    {total > 0 ? `${toFigure(done)} of ${toFigure(total)} views` : 'Reading posts and views …'}
  </p>
);

function Begin({ session, isFirst, onBegun }: { session: Session; isFirst: boolean; onBegun: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  if (session.role !== 'act') return <p class="soft">To measure it, sign in with the write secret.</p>;
  const begin = async () => {
    setBusy(true);
    const { message } = await act(session.token, FRONTIER, {});
    setBusy(false);
    setSaid(message);
    if (message === '') onBegun();
  };
  return (
    <>
      <WaitingButton type="button" class={isFirst ? 'primary' : 'again'} isBusy={isBusy} onClick={() => void begin()}>
        {isFirst ? 'Measure it' : 'Measure again'}
      </WaitingButton>
      {said !== '' && (
        <p class="trouble" role="alert">
          {said}
        </p>
      )}
    </>
  );
}

const Result = ({ result, mix, onChoose }: { result: FrontierResult } & Pick<Props, 'mix' | 'onChoose'>) => (
  <>
    <FrontierPicture {...{ result, mix, onChoose }} />
    {result.says.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {mix !== result.recommended && (
      <button type="button" class="again" onClick={() => onChoose(result.recommended)}>
        Move the slider to {result.recommended}
      </button>
    )}
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Mix</th>
            <th scope="col">Of the page kept</th>
            <th scope="col">MRR@20</th>
            <th scope="col">Next read among 20</th>
            <th scope="col">Age, days</th>
          </tr>
        </thead>
        <tbody>
          {result.points.map((point) => (
            <Row key={point.mix} point={point} isRecommended={point.mix === result.recommended} />
          ))}
        </tbody>
      </table>
    </details>
  </>
);

const Row = ({ point, isRecommended }: { point: FrontierPointRecord; isRecommended: boolean }) => (
  <tr>
    <th scope="row">
      {point.mix}
      {isRecommended && <span class="goal">recommended</span>}
    </th>
    <td>{toShare(point.kept)}</td>
    <td>{point.mrr.toFixed(3)}</td>
    <td>{toShare(point.hit_rate)}</td>
    <td>{point.age.toFixed(1)}</td>
  </tr>
);
