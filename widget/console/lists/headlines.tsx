// Titles and pictures that are compared: which leads, and how sure that is.
import { useState } from 'preact/hooks';
import type { HeadlineAlternative, HeadlineRecord } from '../../../server/contract/alternatives.ts';
import { toFigure, toRoundRate } from '../figures.ts';
import { MoreButton } from '../moreButton.tsx';
import { useDays } from '../siteDay.tsx';
import { Empty, Failed, Ghost } from '../states.tsx';
import { useAnswer } from '../useAnswer.ts';

interface Body {
  data: HeadlineRecord[];
}

const PATH = '/v2/headlines';
/** Of those that ended; all that run are shown. */
const FEW = 5;

export function Headlines() {
  const { body, isLoading, message, retry } = useAnswer<Body>(PATH, []);
  const [isAll, setAll] = useState(false);
  const sorted = [...(body?.data ?? [])].sort(
    (one, other) => rankOf(one) - rankOf(other) || other.started.localeCompare(one.started),
  );
  const running = sorted.filter(({ state }) => state === 'running').length;
  const shown = isAll ? sorted : sorted.slice(0, Math.max(running, FEW));
  return (
    <section class="sheet headlines" aria-label="Headline tests" aria-busy={isLoading}>
      <header>
        <h2>Headline tests</h2>
      </header>
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={3} />}
      {message === '' && body && shown.length === 0 && (
        <Empty>No title or picture was compared. A post's metadata may name up to ten alternatives.</Empty>
      )}
      {shown.map((test) => (
        <Test key={test.url} test={test} />
      ))}
      {shown.length < sorted.length && (
        <MoreButton count={`all ${toFigure(sorted.length)}`} of="headline tests" onClick={() => setAll(true)} />
      )}
    </section>
  );
}

const rankOf = ({ state }: HeadlineRecord): number => (state === 'running' ? 0 : 1);

function Test({ test }: { test: HeadlineRecord }) {
  const [isOpen, setOpen] = useState(test.state === 'running');
  const title = test.alternatives[0]?.title || test.url;
  return (
    <article class="experiment" aria-label={`Headline test of ${title}`}>
      <header class="experiment-bar">
        <h3>
          <bdi>{title}</bdi> <span class={`state-of ${test.state}`}>{test.state}</span>
        </h3>
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'Result'}
          <span class="hidden"> of {title}</span>
        </button>
      </header>
      {isOpen && <Alternatives url={test.url} />}
    </article>
  );
}

function Alternatives({ url }: { url: string }) {
  const { body, message, retry } = useAnswer<Body>(PATH, [['url', url]]);
  const toDay = useDays();
  const failed = message !== '' && <Failed message={message} retry={retry} />;
  if (body === undefined) return failed || <Ghost rows={2} />;
  const [test] = body.data;
  if (test === undefined) return <p class="soft">This test is not there any more.</p>;
  return (
    <>
      {failed}
      <p class="says">{sentenceOf(test, toDay)}</p>
      <ol class="alternatives">
        {test.alternatives.map((one, at) => (
          <Alternative key={at} of={one} own={test.alternatives[0]} isWinner={test.winner === at + 1} />
        ))}
      </ol>
    </>
  );
}

interface AlternativeProps {
  of: HeadlineAlternative;
  /** Of the post. */
  own: HeadlineAlternative | undefined;
  isWinner: boolean;
}

function Alternative({ of: { title, image_url: picture, share, metrics }, own, isWinner }: AlternativeProps) {
  return (
    <li>
      <span class="bar-of" aria-hidden="true" style={{ width: toRoundRate(metrics?.probability ?? share) }} />
      <span>
        <bdi>{title}</bdi>
        {isWinner && <b class="state-of won">won</b>}
      </span>
      {picture !== own?.image_url && (
        <small>
          with the picture <bdi>{picture}</bdi>
        </small>
      )}
      <small>
        {metrics === undefined
          ? `${toRoundRate(share)} of the readers`
          : `${toRoundRate(metrics.probability)} sure to be the best · ${toRoundRate(share)} of the readers · seen ${toFigure(metrics.seen)} · ${toFigure(metrics.clicks)} clicks · ${toFigure(metrics.quality_clicks)} of quality`}
      </small>
    </li>
  );
}

function sentenceOf(
  { state, winner, ended, started, alternatives }: HeadlineRecord,
  toDay: (moment: string) => string,
): string {
  const [own] = alternatives;
  // Of alternatives with one title, pictures are compared.
  const named = (number: number) => {
    const { title, image_url: picture } = alternatives[number - 1] ?? {};
    return number > 1 && title === own?.title ? `The picture ${picture}` : `“${title ?? ''}”`;
  };
  // What an editor has given the post since is not known here.
  if (state === 'won' && winner !== null && ended !== null)
    return `${named(winner)} won on ${toDay(ended)}, and ${winner === 1 ? 'stayed: it was the post’s own.' : 'replaced the post’s own.'}`;
  if (state === 'stopped') return 'It was stopped before one won.';
  const best = leaderOf(alternatives);
  if (best === undefined) return `Since ${toDay(started)}; lists did not show it yet.`;
  // By all showings of the test, another one may win after seven days.
  return `${named(best.number)} leads: the best with a probability of ${toRoundRate(best.probability)}. One wins at 95%, once lists showed the post 1,000 times of late, or after seven days, where they showed each 100 times in the mean.`;
}

function leaderOf(alternatives: readonly HeadlineAlternative[]): { number: number; probability: number } | undefined {
  const known = alternatives.flatMap(({ metrics }, at) =>
    metrics === undefined ? [] : [{ number: at + 1, ...metrics }],
  );
  if (known.every(({ seen }) => seen === 0)) return undefined;
  return known.sort((one, other) => other.probability - one.probability)[0];
}
