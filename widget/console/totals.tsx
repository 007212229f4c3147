// The totals of the period, each with its change. The chosen one is drawn as a curve and orders the tables.
import { METRIC_NAMES, METRICS, type MetricName } from './choice.ts';
import { changeOf, toFigure, toShare } from './figures.ts';
import { Failed } from './states.tsx';
import { BY_FIRST_VIEW, type Series, type SeriesBody } from './useSeries.ts';

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
                isCompared={totals?.previous !== undefined}
                {...{ name, isPartial }}
                isEarly={isTooEarly(body, name)}
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
  /** There is a period before. */
  isCompared: boolean;
  isPartial: boolean;
  isEarly: boolean;
  isPending: boolean;
}

function Total({ name, now, before, isCompared, isPartial, isEarly, isPending }: TotalProps) {
  if (now === undefined) return isPending ? <span class="ghost">Loading</span> : <strong>–</strong>;
  return (
    <>
      <strong data-total={name}>{toFigure(now)}</strong>
      {isCompared && <Change {...{ now, before, isPartial, isEarly }} />}
    </>
  );
}

/** With fewer days of traffic before a period, most of its regular readers count as new. */
const LEAST_DAYS = 7;

/**
 * Whether new and returning visitors of the period before are no base for a comparison: in the first weeks of a site
 * nearly all visitors are new, and few return.
 */
export function isTooEarly(body: SeriesBody | undefined, metric: string): boolean {
  const { days_before = 0 } = body?.totals.previous ?? {};
  const days = new Set(body?.data.map(({ start }) => start.slice(0, 10))).size;
  return BY_FIRST_VIEW.includes(metric) && days_before < Math.max(LEAST_DAYS, days);
}

interface ChangeProps {
  now: number;
  before: number | undefined;
  /** The period before begins before the first view of the site was counted. */
  isPartial: boolean;
  /** The site was too new in the period before. Default: false. */
  isEarly?: boolean;
  /** Writes a value. Default: as a figure. */
  inFull?: (value: number) => string;
}

/** From ten times as many on, a multiple is read faster than a percentage. */
const MANY_TIMES = 10;

export function Change({ now, before, isPartial, isEarly = false, inFull = toFigure }: ChangeProps) {
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
  if (isEarly)
    return (
      <span
        class="change"
        title={`${inFull(before)} in the period before, when the site was new and so were its visitors`}
      >
        too early to compare
      </span>
    );
  const change = changeOf(now, before);
  if (change === undefined) return <span class="change">{before === 0 && now > 0 ? 'none before' : 'as before'}</span>;
  const rises = change > 0;
  const times = change + 1 >= MANY_TIMES ? toFigure(Math.round(change + 1)) : '';
  const share = toShare(change);
  if (share === '0%') return <span class="change">as before</span>;
  return (
    <span class={`change ${rises ? 'rises' : 'falls'}`} title={`${inFull(before)} in the period before`}>
      <i aria-hidden="true">{rises ? '▲' : '▼'}</i> {times === '' ? share : `${times} times`}
      <span class="hidden">
        {times === '' ? `${rises ? ' more' : ' less'} than` : ' as many as'} in the period before
      </span>
    </span>
  );
}
