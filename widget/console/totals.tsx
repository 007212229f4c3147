// The totals of the period, each with its change. The chosen one is drawn as a curve and orders the tables.
import { METRIC_NAMES, METRICS, type MetricName } from './choice.ts';
import { changeOf, toFigure, toShare } from './figures.ts';
import { Failed } from './states.tsx';
import type { Series } from './useSeries.ts';

interface Props {
  series: Series;
  metric: MetricName;
  onChoose: (metric: MetricName) => void;
}

export function Totals({ series: { body, isLoading, pending, message, retry }, metric, onChoose }: Props) {
  const failed = message !== '' && <Failed message={message} retry={retry} />;
  if (failed && body === undefined) return failed;
  const totals = body?.totals;
  const isPartial = totals?.previous?.partial === true;
  return (
    <>
      <ul class="totals" aria-busy={isLoading}>
        {METRIC_NAMES.map((name) => (
          <li key={name}>
            <button type="button" aria-pressed={metric === name} onClick={() => onChoose(name)}>
              <span class="label">{METRICS[name]}</span>
              <Total
                now={totals?.metrics[name]}
                before={totals?.previous?.metrics[name]}
                {...{ name, isPartial }}
                isPending={pending.includes(name)}
              />
            </button>
          </li>
        ))}
      </ul>
      {failed}
    </>
  );
}

interface TotalProps {
  name: MetricName;
  /** undefined: not counted yet. */
  now: number | undefined;
  before: number | undefined;
  isPartial: boolean;
  isPending: boolean;
}

function Total({ name, now, before, isPartial, isPending }: TotalProps) {
  if (now === undefined) return isPending ? <span class="ghost">Loading</span> : <strong>–</strong>;
  return (
    <>
      <strong data-total={name}>{toFigure(now)}</strong>
      <Change {...{ now, before, isPartial }} />
    </>
  );
}

interface ChangeProps {
  now: number;
  before: number | undefined;
  /** The period before begins before the first view of the site was counted. */
  isPartial: boolean;
  /** Writes a value. Default: as a figure. */
  inFull?: (value: number) => string;
}

export function Change({ now, before, isPartial, inFull = toFigure }: ChangeProps) {
  // A period before that was not counted at all has no views either.
  if (before === undefined || (isPartial && before === 0)) return <span class="change">not known before</span>;
  if (isPartial)
    return (
      <span
        class="change"
        title={`${inFull(before)} in the period before, which begins before the first view of this site`}
      >
        counted in part before
      </span>
    );
  const change = changeOf(now, before);
  if (change === undefined) return <span class="change">{before === 0 && now > 0 ? 'none before' : 'as before'}</span>;
  const rises = change > 0;
  const share = toShare(change);
  if (share === '0%') return <span class="change">as before</span>;
  return (
    <span class={`change ${rises ? 'rises' : 'falls'}`} title={`${inFull(before)} in the period before`}>
      <i aria-hidden="true">{rises ? '▲' : '▼'}</i> {share}
      <span class="hidden">{rises ? ' more' : ' less'} than in the period before</span>
    </span>
  );
}
