// An experiment: its verdict in words, the intervals it rests on, and what can be done with it.
import { useRef, useState } from 'preact/hooks';
import type { ExperimentRecord, ExperimentResult, VariantRecord } from '../../../server/contract/experiments.ts';
import { act, UNPROCESSABLE } from '../ask.ts';
import { toFigure } from '../figures.ts';
import type { Session } from '../session.ts';
import { useDays } from '../siteDay.tsx';
import { Failed, Ghost } from '../states.tsx';
import { takeFocus } from '../takeFocus.ts';
import { useAnswer } from '../useAnswer.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { Differences } from './differences.tsx';

interface Props {
  experiment: ExperimentRecord;
  session: Session;
  /** Whether everything is filtered by it. */
  isChosen: boolean;
  onFilter: () => void;
  /** It was changed here last: the focus is on what can be done with it now. */
  isChanged: boolean;
  onChanged: () => void;
}

const VERDICTS = { broken: 'Broken', harm: 'Does harm', wins: 'Decided', none: 'No winner', wait: 'Not decided' };
const ENDINGS = {
  command: 'stopped by hand',
  decision: 'ended with its verdict',
  readers: 'ended at its planned readers',
  days: 'ended with the days that reports are kept',
};

export function ExperimentCard(props: Props) {
  const { experiment, isChosen, onFilter } = props;
  const { name, slot, state, variants } = experiment;
  const toDay = useDays();
  // A result is counted when it is asked for: of those that have ended, where one looks.
  const [isOpen, setOpen] = useState(state === 'running');
  return (
    <article class={`experiment ${state}`} aria-label={`Experiment ${name}`}>
      <header class="experiment-bar">
        <h3>
          <bdi>{name}</bdi> <span class={`state-of ${state}`}>{state}</span>
        </h3>
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'Result'}
          <span class="hidden"> of {name}</span>
        </button>
        <button type="button" class="plain" aria-pressed={isChosen} onClick={onFilter}>
          {isChosen ? 'All lists' : 'Its figures'}
          <span class="hidden"> instead of those of {isChosen ? name : 'all lists'}</span>
        </button>
        <Changes {...props} />
      </header>
      <p class="soft facts-of">
        Slot <bdi>{slot}</bdi>, {datesOf(experiment, toDay)}. {variants.map(settingsOf).join('; ')}.
      </p>
      {isOpen && <Result name={name} />}
    </article>
  );
}

function Result({ name }: { name: string }) {
  const { body, message, retry } = useAnswer<{ data: ExperimentRecord[] }>('/v2/experiments', [['name', name]]);
  const failed = message !== '' && <Failed message={message} retry={retry} />;
  const [found] = body?.data ?? [];
  if (body === undefined) return failed || <Ghost rows={3} />;
  return (
    <>
      {failed}
      {found?.result ? (
        <Verdict result={found.result} experiment={found} />
      ) : (
        <p class="soft">Nothing is known of it.</p>
      )}
    </>
  );
}

function Verdict({ result, experiment }: { result: ExperimentResult; experiment: ExperimentRecord }) {
  const { verdict, says, readers, sample_ratio: ratio } = result;
  const [first, ...others] = says;
  const share = Math.min(1, readers / experiment.readers);
  return (
    <div class={`verdict ${verdict}`}>
      {ratio.wrong && (
        <p class="alarm" role="alert">
          <strong>Readers do not come in the intended shares.</strong> Whatever these figures say, do not use them.
        </p>
      )}
      <p class="says">
        <b class="mark-of">{VERDICTS[verdict]}</b> <strong>{first}</strong> {others.join(' ')}
      </p>
      <p class="soft readers">
        <progress max="1" value={share} aria-label="Of the planned readers" />{' '}
        <span data-readers={experiment.name}>{toFigure(readers)}</span> of {toFigure(experiment.readers)} readers
      </p>
      <Differences result={result} goal={experiment.goal} />
    </div>
  );
}

interface Step {
  change: 'stop' | 'archive' | 'restore';
  label: string;
  asks: string;
}

const STEPS: Record<ExperimentRecord['state'], Step> = {
  running: { change: 'stop', label: 'Stop', asks: 'Stop it? All readers get the control, and it cannot run again.' },
  stopped: { change: 'archive', label: 'Archive', asks: 'Archive it? It is no longer listed; its result stays.' },
  archived: { change: 'restore', label: 'Restore', asks: 'List it again?' },
};

/** What changes an experiment is asked once more first. */
function Changes({ experiment: { name, state }, session, isChanged, onChanged }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const wasAsked = useRef(isChanged);
  if (session.role !== 'act') return null;
  const { change, label, asks } = STEPS[state];
  const go = async () => {
    setBusy(true);
    const { message, code } = await act(session.token, '/v2/experiments', { [change]: name });
    // Once it is changed, the list that says so brings another card: until then it can be changed by no second press.
    setBusy(message === '');
    setTrouble(message);
    // Refused where another editor, or its decision, has changed its state meanwhile.
    if (message === '' || code === UNPROCESSABLE) onChanged();
  };
  const ask = () => {
    wasAsked.current = true;
    setAsking(true);
  };
  if (!isAsking)
    return (
      <button type="button" class="plain" ref={wasAsked.current ? takeFocus : null} onClick={ask}>
        {label}
        <span class="hidden"> {name}</span>
      </button>
    );
  return (
    <fieldset class="confirm" ref={takeFocus} tabIndex={-1}>
      <legend>{asks}</legend>
      <WaitingButton type="button" class="primary" isBusy={isBusy} onClick={() => void go()}>
        {isBusy ? 'Working…' : `${label} ${name}`}
      </WaitingButton>
      <button type="button" onClick={() => setAsking(false)}>
        Cancel
      </button>
      {trouble !== '' && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
    </fieldset>
  );
}

/** A variant and what it changes, in words. */
export function settingsOf({ name, share, ...settings }: VariantRecord): string {
  const said = Object.entries(settings).flatMap(([what, value]) =>
    value === undefined ? [] : what === 'list' ? ['no list'] : [`${what} ${value}`],
  );
  return `${name} ${share}%${said.length === 0 ? ' as it is' : `: ${said.join(', ')}`}`;
}

function datesOf({ started, stopped, ended_by: by }: ExperimentRecord, toDay: (moment: string) => string): string {
  const from = `started ${toDay(started)}`;
  return stopped === null ? from : `${from}, ${by === null ? 'ended' : ENDINGS[by]} ${toDay(stopped)}`;
}
