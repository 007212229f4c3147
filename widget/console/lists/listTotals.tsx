// The totals of the lists in the period, each beside the period before. The chosen one is drawn as a curve.
import { toFigure, toRate } from '../figures.ts';
import { Failed } from '../states.tsx';
import { BeforeNote, Change } from '../totals.tsx';
import type { Series } from '../useSeries.ts';
import { LIST_METRICS, type ListMetricName, RATES } from './listChoice.ts';
import { Range } from './range.tsx';

interface Props {
  series: Series;
  names: readonly ListMetricName[];
  metric: ListMetricName;
  onChoose: (metric: ListMetricName) => void;
}

type Figures = Record<string, number>;

/** What a metric counts, where its name does not say it. */
const SAYS: Partial<Record<ListMetricName, string>> = {
  lists: 'Lists of which an item was seen',
  seen: 'Half of the item in the window for a second',
  click_rate: 'Clicks by items seen, with its 95% interval',
  quality_clicks: 'Followed by 15 engaged seconds',
  views_caused: 'Views that clicks began',
  recirculation: 'Views that lists caused, of all views of the site',
  engaged_minutes_caused: 'Engaged minutes of the views caused',
};

export function ListTotals({ series: { body, isLoading, message, retry }, names, metric, onChoose }: Props) {
  const failed = message !== '' && <Failed message={message} retry={retry} />;
  if (failed && body === undefined) return failed;
  const now = body?.totals.metrics;
  const previous = body?.totals.previous;
  return (
    <>
      <ul class="totals brought" aria-busy={isLoading}>
        {names.map((name) => (
          <li key={name}>
            <button type="button" aria-pressed={metric === name} title={SAYS[name]} onClick={() => onChoose(name)}>
              <span class="label">{LIST_METRICS[name]}</span>
              {now === undefined ? <span class="ghost">Loading</span> : <Total name={name} figures={now} />}
              {now && previous?.partial === false && !isOfNothing(name, now) && (
                <Change now={now[name] ?? 0} before={previous.metrics[name]} isRate={RATES.includes(name)} />
              )}
            </button>
          </li>
        ))}
      </ul>
      <BeforeNote previous={previous} />
      {failed}
    </>
  );
}

/** A rate where no item was seen, and none clicked: views are caused by clicks. */
const isOfNothing = (name: ListMetricName, { seen, clicks }: Figures): boolean =>
  RATES.includes(name) && !seen && !clicks;

function Total({ name, figures }: { name: ListMetricName; figures: Figures }) {
  const value = figures[name] ?? 0;
  const written = isOfNothing(name, figures) ? '–' : (RATES.includes(name) ? toRate : toFigure)(value);
  const total = <strong data-total={name}>{written}</strong>;
  if (name !== 'click_rate' || written === '–') return total;
  const [low, high] = [figures.click_rate_low ?? 0, figures.click_rate_high ?? 0];
  return (
    <span class="rate">
      {total}
      <small>
        {toRate(low)} to {toRate(high)}
      </small>
      <Range low={low} rate={value} high={high} most={high * 1.3} />
    </span>
  );
}
