// What happened in the period of a curve, as a list below it. Labels come from outside: they are only text.
import { useContext } from 'preact/hooks';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import { nameOf } from './annotations.ts';
import { ChoosingContext, PostLink } from './choiceLink.tsx';
import { toMoment } from './figures.ts';
import { Failed } from './states.tsx';
import type { Annotations } from './useAnnotations.ts';
import type { Answered } from './useAnswer.ts';

export function AnnotationList({
  annotations: { body, isLoading, message, retry },
}: {
  annotations: Answered<Annotations>;
}) {
  if (message !== '')
    return (
      <div class="annotations">
        <Failed message={`What happened is not known. ${message}`} retry={retry} />
      </div>
    );
  if (body === undefined || body.data.length === 0) return null;
  const { data, more } = body;
  return (
    <details class="annotations" aria-busy={isLoading}>
      <summary>What happened ({data.length + more})</summary>
      <ol>
        {data.map((annotation) => (
          <li key={annotation.kind + annotation.time + annotation.label + annotation.url}>
            <time dateTime={annotation.time}>{toMoment(annotation.time, 'hour')}</time>
            <span class="soft">{nameOf(annotation.kind)}</span>
            <Label {...annotation} />
          </li>
        ))}
        {more > 0 && <li class="soft">{more} older ones are not listed.</li>}
      </ol>
    </details>
  );
}

function Label({ label, url }: AnnotationRecord) {
  const shown = useContext(ChoosingContext)?.choice.filters.post;
  const text = <bdi>{label}</bdi>;
  return <span>{url === '' || url === shown ? text : <PostLink url={url}>{text}</PostLink>}</span>;
}
