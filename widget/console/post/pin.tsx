// Whether a post is pinned in related lists, and the form that pins it.
import { useState } from 'preact/hooks';
import { conditionsOf, LAST_PIN, type RuleRecord } from '../../../server/contract/rules.ts';
import type { StoredPostRecord } from '../../../server/contract/wire.ts';
import type { Asked } from '../ask.ts';
import { Field } from '../field.tsx';
import { toClock } from '../figures.ts';
import { changeRules, nameOfAlways, RULES, type RuleSets, type WrittenRule } from '../rules.ts';
import type { Session } from '../session.ts';
import { Failed } from '../states.tsx';
import { useAnswer } from '../useAnswer.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { WithoutPosts } from '../withoutPosts.tsx';

interface Props {
  session: Session;
  post: StoredPostRecord;
}

export function Pin({ session, post: { stored, aliases } }: Props) {
  const { body, message, retry } = useAnswer<RuleSets>(RULES, []);
  const [written, setWritten] = useState<Asked<RuleSets>>();
  const [isBusy, setBusy] = useState(false);
  const failed = message !== '' && <Failed message={`Its pins are not known. ${message}`} retry={retry} />;
  if (body === undefined) return failed || null;
  const name = nameOfAlways(body.data);
  // A post that has moved was pinned by its former address.
  const isOwn = ({ pin }: RuleRecord) => pin !== undefined && [stored.url, ...aliases].includes(pin);
  const pins = body.data.find((set) => set.name === name)?.rules.filter(isOwn) ?? [];
  const write = async (own: readonly WrittenRule[]) => {
    setBusy(true);
    setWritten(undefined);
    // The first of several at one position stands there. Those that are over make room.
    const answer = await changeRules(session, name, (rules) => [
      ...own,
      ...rules.filter((rule) => !isOwn(rule) && rule.state !== 'over'),
    ]);
    setBusy(false);
    setWritten(answer);
    if (answer.body !== undefined) retry();
  };
  const untilErrors = Object.entries(written?.errors ?? {}).find(([field]) => field.endsWith('.until'))?.[1];
  return (
    <div class="pin">
      {failed}
      {pins.map((one, at) => (
        <p key={at}>
          Pinned to position {one.position} of related lists{' '}
          {conditionsOf(one, (time) => toClock(time, session.timezone))}
          {one.state === 'in force' ? '' : ` (${one.state})`}
          <WithoutPosts rule={one} />
        </p>
      ))}
      {session.role === 'act' && (
        <>
          {pins.length > 0 && (
            <div class="actions unpin">
              <WaitingButton type="button" isBusy={isBusy} onClick={() => void write([])}>
                Unpin
              </WaitingButton>
            </div>
          )}
          <details class="annotate">
            <summary>{pins.length > 0 ? 'Pin it otherwise' : 'Pin it in related lists'}</summary>
            <PinForm
              {...{ session, isBusy, untilErrors, section: stored.section }}
              onPin={(own) => void write([{ pin: stored.url, ...own }])}
            />
          </details>
        </>
      )}
      <span role="status">{written?.body && 'Written: related lists follow within a minute.'}</span>
      {written && written.message !== '' && untilErrors === undefined && (
        <p class="trouble" role="alert">
          {written.message}
        </p>
      )}
    </div>
  );
}

const POSITIONS = Array.from({ length: LAST_PIN }, (_, at) => [`${at + 1}`, `${at + 1}`] as const);

interface FormProps {
  session: Session;
  /** Of the post. */
  section: string;
  isBusy: boolean;
  untilErrors: readonly string[] | undefined;
  onPin: (own: WrittenRule) => void;
}

function PinForm({ session, section, isBusy, untilErrors, onPin }: FormProps) {
  const [position, setPosition] = useState('1');
  const [on, setOn] = useState('');
  const [until, setUntil] = useState('');
  const pages = [
    ['', 'All pages'] as const,
    ...(section === '' ? [] : [[section, `Pages of section ${section}`] as const]),
  ];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onPin({ position: Number(position), ...(on !== '' && { on_section: on }), ...(until !== '' && { until }) });
  };
  return (
    <form onSubmit={submit}>
      <div class="fields">
        <Field label="Position" value={position} choices={POSITIONS} errors={undefined} onInput={setPosition} />
        <Field label="On" value={on} choices={pages} errors={undefined} onInput={setOn} />
        <Field
          label="Until"
          type="moment"
          value={until}
          hint={`By the clock of ${session.timezone}. Empty: until it is unpinned.`}
          errors={untilErrors}
          onInput={setUntil}
        />
      </div>
      <WaitingButton type="submit" class="primary" isBusy={isBusy}>
        {isBusy ? 'Writing…' : 'Pin'}
      </WaitingButton>
    </form>
  );
}
