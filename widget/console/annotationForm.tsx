// The form that writes an annotation beside the curves (a newsletter, a deploy, an outage), and how one is removed.
import { useState } from 'preact/hooks';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import { nameOf } from './annotations.ts';
import { type Asked, act } from './ask.ts';
import { Field } from './field.tsx';
import type { Session } from './session.ts';
import { WaitingButton } from './waitingButton.tsx';

const KINDS = ['note', 'newsletter', 'campaign', 'deploy', 'outage'].map((kind) => [kind, nameOf(kind)] as const);

const ADDRESS = '/v2/annotations';

export type Changed = Asked<{ data: AnnotationRecord[] }>;

export const removeAnnotation = ({ token }: Session, id: string): Promise<Changed> =>
  act(token, ADDRESS, { remove: id });

/** Writes again what was removed. */
export const restoreAnnotation = ({ token }: Session, { kind, label, time, url }: AnnotationRecord): Promise<Changed> =>
  act(token, ADDRESS, { kind, label, date: time, ...(url !== '' && { url }) });

interface Props {
  session: Session;
  /** Of the post that the view is about. Absent: the whole site. */
  url?: string | undefined;
  onWritten: () => void;
}

export function AnnotationForm({ session, url, onWritten }: Props) {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState('note');
  const [date, setDate] = useState('');
  const [asked, setAsked] = useState<Changed>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    // What is said a second time is announced where it was gone.
    setAsked(undefined);
    const body = { label, kind, ...(date !== '' && { date }), ...(url !== undefined && { url }) };
    const written: Changed = await act(session.token, ADDRESS, body);
    setBusy(false);
    setAsked(written);
    if (written.body === undefined) return;
    setLabel('');
    setDate('');
    onWritten();
  };
  const { errors = {}, message = '', body } = asked ?? {};
  const isOfField = ['label', 'kind', 'date'].some((name) => errors[name] !== undefined);
  return (
    <details class="annotate">
      <summary>Write what happened</summary>
      <form onSubmit={(event) => void submit(event)}>
        <div class="fields">
          <Field
            label="What"
            value={label}
            hint={
              url === undefined ? 'Stands beside the curves of the site.' : 'Stands beside the curves of this post.'
            }
            errors={errors.label}
            onInput={setLabel}
          />
          <Field label="Kind" value={kind} choices={KINDS} errors={errors.kind} onInput={setKind} />
          <Field
            label="When"
            type="moment"
            value={date}
            hint={`By the clock of ${session.timezone}. Empty: now.`}
            errors={errors.date}
            onInput={setDate}
          />
        </div>
        <WaitingButton type="submit" class="primary" isBusy={isBusy}>
          {isBusy ? 'Writing…' : 'Write'}
        </WaitingButton>
        <span role="status">{body && 'Written.'}</span>
        {message !== '' && !isOfField && (
          <p class="trouble" role="alert">
            {message}
          </p>
        )}
      </form>
    </details>
  );
}
