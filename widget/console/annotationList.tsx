// What happened in the period of a curve, as a list below it. Labels come from outside: they are only text.
import { useContext, useRef, useState } from 'preact/hooks';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import { AnnotationForm, type Changed, removeAnnotation, restoreAnnotation } from './annotationForm.tsx';
import { nameOf } from './annotations.ts';
import { UNPROCESSABLE } from './ask.ts';
import { ChoosingContext, PostLink } from './choiceLink.tsx';
import { toMoment } from './figures.ts';
import { isSecondClick } from './secondClick.ts';
import type { Session } from './session.ts';
import { Failed } from './states.tsx';
import { focusControl, takeFocus } from './takeFocus.ts';
import type { Annotations } from './useAnnotations.ts';
import type { Answered } from './useAnswer.ts';
import { WaitingButton } from './waitingButton.tsx';

interface Props {
  session: Session;
  annotations: Answered<Annotations>;
}

export function AnnotationList({ session, annotations }: Props) {
  const { body, message, retry } = annotations;
  const post = useContext(ChoosingContext)?.choice.filters.post;
  const failed = message !== '' && <Failed message={`What happened is not known. ${message}`} retry={retry} />;
  const mayAct = session.role === 'act';
  if (!body?.data.length && !mayAct && !failed) return null;
  return (
    <div class="annotations">
      {failed}
      {body && <Listed {...{ session, annotations, ...body }} />}
      {mayAct && <AnnotationForm session={session} url={post} onWritten={retry} />}
    </div>
  );
}

function Listed({ session, annotations: { isLoading, retry }, data, more }: Props & Annotations) {
  const [removed, setRemoved] = useState<AnnotationRecord>();
  const [restored, setRestored] = useState<AnnotationRecord>();
  const [trouble, setTrouble] = useState('');
  const [isRestoring, setRestoring] = useState(false);
  const going = useRef(new Set<string>());
  const after = ({ message, code }: Changed, nowRemoved?: AnnotationRecord) => {
    setTrouble(message);
    if (message === '') {
      setRemoved(nowRemoved);
      setRestored(nowRemoved ? undefined : removed);
    }
    // Refused where another editor has removed it meanwhile.
    if (message === '' || code === UNPROCESSABLE) retry();
  };
  const remove = async (one: AnnotationRecord, id: string) => {
    if (going.current.has(id)) return;
    going.current.add(id);
    after(await removeAnnotation(session, id), one);
    going.current.delete(id);
  };
  const restore = async (one: AnnotationRecord) => {
    setRestoring(true);
    after(await restoreAnnotation(session, one));
    setRestoring(false);
  };
  return (
    <>
      {data.length > 0 && (
        <details aria-busy={isLoading}>
          <summary>What happened ({data.length + more})</summary>
          <ol>
            {data.map((annotation) => (
              <li key={annotation.kind + annotation.time + annotation.label + annotation.url}>
                <time dateTime={annotation.time}>{toMoment(annotation.time, 'hour')}</time>
                <span class="soft">{nameOf(annotation.kind)}</span>
                <span>
                  <Label {...annotation} />
                  {annotation.id !== null && session.role === 'act' && (
                    <button
                      type="button"
                      class="plain"
                      onClick={(event) => isSecondClick(event) || void remove(annotation, annotation.id ?? '')}
                    >
                      Remove<span class="hidden"> {annotation.label}</span>
                    </button>
                  )}
                </span>
              </li>
            ))}
            {more > 0 && <li class="soft">{more} older ones are not listed.</li>}
          </ol>
        </details>
      )}
      <p role="status">
        {removed && (
          <>
            Removed: <bdi>{removed.label}</bdi>{' '}
            <span key={removed.id} ref={focusControl}>
              <WaitingButton type="button" class="plain" isBusy={isRestoring} onClick={() => void restore(removed)}>
                Write it again
              </WaitingButton>
            </span>
          </>
        )}
        {restored && (
          <span key={restored.id} ref={takeFocus} tabIndex={-1}>
            Written again: <bdi>{restored.label}</bdi>
          </span>
        )}
      </p>
      {trouble !== '' && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}

function Label({ label, url }: AnnotationRecord) {
  const shown = useContext(ChoosingContext)?.choice.filters.post;
  const text = <bdi>{label}</bdi>;
  return url === '' || url === shown ? text : <PostLink url={url}>{text}</PostLink>;
}
