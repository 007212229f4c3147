// The totals of the period, each with its change. The chosen one is drawn as a curve and orders the tables.

import type { SeriesTotals } from '../../server/contract/wire.ts';
import { METRIC_NAMES, METRICS, type MetricName } from './choice.ts';
import { changeOf, toFigure, toPoints, toRate, toShare } from './figures.ts';
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
                isCompared={totals?.previous?.partial === false}
                name={name}
                isEarly={isTooEarly(body, name)}
                isPending={pending.includes(name)}
              />
            </button>
          </li>
        ))}
      </ul>
      <BeforeNote previous={totals?.previous} />
      {failed}
    </>
  );
}

/** Once for all totals: a part of a period, or nothing, is compared with none of them. */
export function BeforeNote({ previous }: Pick<SeriesTotals, 'previous'>) {
  if (previous?.partial !== true) return null;
  const isKnown = Object.values(previous.metrics).some((value) => value !== 0);
  return (
    <p class="hint alone">
      The period before is {isKnown ? 'counted in part' : 'not known'}: it begins before the first view of this site.
    </p>
  );
}

interface TotalProps {
  name: MetricName;
  /** undefined: not counted yet. */
  now: number | undefined;
  before: number | undefined;
  /** All of a period before was counted. */
  isCompared: boolean;
  isEarly: boolean;
  isPending: boolean;
}

function Total({ name, now, before, isCompared, isEarly, isPending }: TotalProps) {
  if (now === undefined) return isPending ? <span class="ghost">Loading</span> : <strong>–</strong>;
  return (
    <>
      <strong data-total={name}>{toFigure(now)}</strong>
      {isCompared && <Change {...{ now, before, isEarly }} />}
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
  /** The period before begins before the first view of the site was counted. Default: false. */
  isPartial?: boolean;
  /** The site was too new in the period before. Default: false. */
  isEarly?: boolean;
  /** They are shares, which differ by points. Default: false. */
  isRate?: boolean;
}

/** From ten times as many on, a multiple is read faster than a percentage. */
const MANY_TIMES = 10;

export function Change({ now, before, isPartial = false, isEarly = false, isRate = false }: ChangeProps) {
  // A period before that was not counted at all has no views either.
  if (before === undefined || (isPartial && before === 0)) return <span class="change">not known before</span>;
  if (isPartial) return <span class="change">counted in part before</span>;
  const title = `${(isRate ? toRate : toFigure)(before)} in the period before`;
  if (isEarly)
    return (
      <span class="change" title={`${title}, when the site was new and so were its visitors`}>
        too early to compare
      </span>
    );
  const change = changeOf(now, before);
  if (change === undefined) return <span class="change">{before === 0 && now > 0 ? 'none before' : 'as before'}</span>;
  const rises = change > 0;
  const times = !isRate && change + 1 >= MANY_TIMES ? toFigure(Math.round(change + 1)) : '';
  const by = isRate ? toPoints(now - before) : toShare(change);
  // Of a difference that is written as nothing.
  if (Number.parseFloat(by) === 0) return <span class="change">as before</span>;
  return (
    <span class={`change ${rises ? 'rises' : 'falls'}`} title={title}>
      <i aria-hidden="true">{rises ? '▲' : '▼'}</i> {times === '' ? by : `${times} times`}
      <span class="hidden">
        {times === '' ? `${rises ? ' more' : ' less'} than` : ' as many as'} in the period before
      </span>
    </span>
  );
}
