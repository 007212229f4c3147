// The experiments of the site: what runs, what came out, and how one is started.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExperimentRecord } from '../../../server/contract/experiments.ts';
import type { Session } from '../session.ts';
import { Empty, Failed, Ghost } from '../states.tsx';
import { focusHeading, takeFocus } from '../takeFocus.ts';
import { useAnswer } from '../useAnswer.ts';
import { ExperimentCard } from './experimentCard.tsx';
import { ExperimentForm } from './experimentForm.tsx';
import type { ListFilterName } from './listChoice.ts';

interface Props {
  session: Session;
  onFilter: (name: ListFilterName, value: string) => void;
  /** Experiment that everything is filtered by. */
  chosen: string | undefined;
  /** One was started, ended or archived. */
  onChanged: () => void;
}

const PATH = '/v2/experiments';

export function Experiments({ session, onFilter, chosen, onChanged }: Props) {
  const [archived, setArchived] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const wasStarting = useRef(false);
  const changed = useRef('');
  const heading = useRef<HTMLHeadingElement>(null);
  const askAgain = () => {
    retry();
    onChanged();
  };
  const start = () => {
    wasStarting.current = true;
    setStarting(true);
  };
  const { body, isLoading, message, retry } = useAnswer<{ data: ExperimentRecord[] }>(PATH, [
    ['archived', archived ? '1' : '0'],
  ]);
  // The newest first, those that run before all others.
  const shown = [...(body?.data ?? [])].reverse().sort((one, other) => rankOf(one) - rankOf(other));
  useEffect(() => {
    // Archived, it may be listed no more.
    if (changed.current === '' || shown.some(({ name }) => name === changed.current)) return;
    changed.current = '';
    if (document.activeElement === document.body) focusHeading(heading.current);
  }, [body]);
  return (
    <section class="sheet experiments" aria-label="Experiments" aria-busy={isLoading}>
      <header>
        <h2 ref={heading} id="experiments" tabIndex={-1}>
          Experiments
        </h2>
        <label class="check">
          <input
            type="checkbox"
            checked={archived}
            onInput={({ currentTarget }) => setArchived(currentTarget.checked)}
          />
          Archived ones, too
        </label>
        {session.role === 'act' && !isStarting && (
          <button type="button" class="primary" ref={wasStarting.current ? takeFocus : null} onClick={start}>
            New experiment
          </button>
        )}
      </header>
      {session.role !== 'act' && (
        <p class="note soft">To start or end one, sign in with the write secret of the site.</p>
      )}
      {isStarting && (
        <ExperimentForm
          session={session}
          onClose={(isStarted) => {
            setStarting(false);
            if (isStarted) askAgain();
          }}
        />
      )}
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={4} />}
      {message === '' && body && shown.length === 0 && (
        <Empty>No experiment yet: compare two layouts, headings or rankings of a list by what readers do.</Empty>
      )}
      {shown.map((one) => (
        <ExperimentCard
          key={`${one.name} ${one.state}`}
          experiment={one}
          session={session}
          isChosen={chosen === one.name}
          onFilter={() => onFilter('experiment', one.name)}
          isChanged={changed.current === one.name}
          onChanged={() => {
            changed.current = one.name;
            askAgain();
          }}
        />
      ))}
    </section>
  );
}

const rankOf = ({ state }: ExperimentRecord): number => ['running', 'stopped', 'archived'].indexOf(state);
