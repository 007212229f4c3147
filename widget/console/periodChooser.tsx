// The period: today, some days up to today, or dates of one's own.
import { useEffect, useState } from 'preact/hooks';
import type { Choice } from './choice.ts';
import { complaintOf, type Dates, PERIODS, type PeriodName } from './periods.ts';

interface Props {
  period: PeriodName;
  dates: Dates;
  today: string;
  /** There is a post, and its publication is known. Default: false. */
  isOfPost?: boolean;
  onChoose: (change: Partial<Choice>) => void;
}

export function PeriodChooser({ period, dates, today, isOfPost = false, onChoose }: Props) {
  const [isOpen, setOpen] = useState(period === 'own');
  useEffect(() => setOpen(period === 'own'), [period]);
  const choose = (name: PeriodName) => {
    if (name === 'own') return setOpen(!isOpen);
    setOpen(false);
    onChoose({ period: name });
  };
  return (
    <fieldset class="period">
      <legend class="hidden">Period</legend>
      <div class="choose">
        {PERIODS.filter(([name]) => isOfPost || name !== 'since').map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={period === name}
            {...(name === 'own' && { 'aria-expanded': isOpen })}
            onClick={() => choose(name)}
          >
            {label}
          </button>
        ))}
      </div>
      {isOpen && <OwnDates dates={dates} today={today} onChoose={(own) => onChoose({ period: 'own', own })} />}
    </fieldset>
  );
}

function OwnDates({ dates, today, onChoose }: { dates: Dates; today: string; onChoose: (own: Dates) => void }) {
  const [own, setOwn] = useState(dates);
  const [complaint, setComplaint] = useState('');
  // The back button changes what is shown, too.
  useEffect(() => {
    setOwn(dates);
    setComplaint('');
  }, [dates.from, dates.to]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong = complaintOf(own);
    setComplaint(wrong);
    if (wrong === '') onChoose(own);
  };
  const field = (name: keyof Dates, label: string) => (
    <label>
      <span>{label}</span>
      <input
        type="date"
        required
        max={today}
        value={own[name]}
        onInput={({ currentTarget }) => setOwn({ ...own, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <form class="dates" onSubmit={submit}>
      {field('from', 'From')}
      {field('to', 'To')}
      <button type="submit" class="primary">
        Show
      </button>
      {complaint && (
        <p class="trouble" role="alert">
          {complaint}
        </p>
      )}
    </form>
  );
}
