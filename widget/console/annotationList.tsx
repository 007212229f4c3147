// What happened in the period of a curve, as a list below it. Labels come from outside: they are only text.
import { useContext } from 'preact/hooks';
import { ChoosingContext, PostLink } from './choiceLink.tsx';
import { toMoment } from './figures.ts';
import { type Moment, nameOf } from './moments.ts';
import { Failed } from './states.tsx';
import type { Answered } from './useAnswer.ts';
import type { Moments } from './useMoments.ts';

export function MomentList({ moments: { body, isLoading, message, retry } }: { moments: Answered<Moments> }) {
  if (message !== '')
    return (
      <div class="moments">
        <Failed message={`What happened is not known. ${message}`} retry={retry} />
      </div>
    );
  if (body === undefined || body.data.length === 0) return null;
  const { data, more } = body;
  return (
    <details class="moments" aria-busy={isLoading}>
      <summary>What happened ({data.length + more})</summary>
      <ol>
        {data.map((moment) => (
          <li key={moment.kind + moment.time + moment.label + moment.url}>
            <time dateTime={moment.time}>{toMoment(moment.time, 'hour')}</time>
            <span class="soft">{nameOf(moment.kind)}</span>
            <Label {...moment} />
          </li>
        ))}
        {more > 0 && <li class="soft">{more} older ones are not listed.</li>}
      </ol>
    </details>
  );
}

function Label({ label, url }: Moment) {
  const shown = useContext(ChoosingContext)?.choice.filters.post;
  const text = <bdi>{label}</bdi>;
  return <span>{url === '' || url === shown ? text : <PostLink url={url}>{text}</PostLink>}</span>;
}
