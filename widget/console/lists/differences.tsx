// The rates of the variants, and how much each differs from the control: an interval beside the line of no difference.
import {
  type ComparisonRecord,
  type ExperimentResult,
  type Goal,
  GUARDRAILS,
  isCompared,
  isMeasured,
  RATES,
  type Rate,
  toSigned,
} from '../../../server/contract/experiments.ts';
import { toFigure, toRate } from '../figures.ts';

const LABELS: Record<Rate, string> = {
  clicks: 'Clicks a list',
  quality_clicks: 'Quality clicks a list',
  views: 'Views a visit',
  bounces: 'Visits of one view',
  layout_shift: 'Layout shift',
  errors: 'Errors a list',
};

const write = (rate: Rate, value: number): string =>
  isMeasured(rate) ? value.toFixed(3) : rate === 'views' ? toFigure(value) : toRate(value);

export function Differences({ result: { variants }, goal }: { result: ExperimentResult; goal: Goal }) {
  const rates = [goal, ...RATES.filter((rate) => rate !== goal)];
  return (
    <ul class="differences">
      {variants.map(({ name, readers, rates: its, comparisons }, at) => (
        <li key={name}>
          <p>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
            <span class="soft">
              {at === 0 && 'control, '}
              {readers === 1 ? '1 reader' : `${toFigure(readers)} readers`}
            </span>
          </p>
          <dl>
            {rates.map((rate) => (
              <div key={rate}>
                <dt>
                  {LABELS[rate]}
                  {rate === goal && (
                    <>
                      {' '}
                      <span class="goal">goal</span>
                    </>
                  )}
                  {rate !== goal && !GUARDRAILS[goal].includes(rate) && <small> not in the verdict</small>}
                </dt>
                <dd>
                  <Figure name={name} rate={rate} value={its[rate]} />
                  {isCompared(rate, its, variants[0]?.rates) && (
                    <Difference
                      rate={rate}
                      of={comparisons.find(({ metric }) => metric === rate)}
                      most={mostOf(variants, rate)}
                    />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Figure({ name, rate, value }: { name: string; rate: Rate; value: number | undefined }) {
  const isKnown = value !== undefined;
  return (
    <span class={isKnown ? undefined : 'soft'} data-rate={`${name} ${rate}`}>
      {isKnown ? write(rate, value) : 'not measured'}
    </span>
  );
}

function Difference({ rate, of, most }: { rate: Rate; of: ComparisonRecord | undefined; most: number }) {
  if (of === undefined) return null;
  const { difference, low, high, decided } = of;
  if (difference === null || low === null || high === null) return <small class="soft"> too few to say more</small>;
  const at = (value: number) => `${Math.round((0.5 + value / most / 2) * 1000) / 10}%`;
  const width = `${Math.round(((high - low) / most / 2) * 1000) / 10}%`;
  // Shares differ by points.
  const points = write(rate, 0).endsWith('%') ? ' points' : '';
  const sign = (value: number) => toSigned(value, (size) => write(rate, size).replace('%', ''));
  return (
    <span class={`difference ${decided ?? 'open'}`}>
      <small>
        {sign(difference)}
        {points}{' '}
        <span class="soft">
          ({sign(low)} to {sign(high)})
        </span>
        {decided !== null && <b> {decided}</b>}
      </small>
      <span class="range" aria-hidden="true">
        <em />
        <i style={{ insetInlineStart: at(low), width }} />
        <b style={{ insetInlineStart: at(difference) }} />
      </span>
    </span>
  );
}

/** The end of the scale: all variants of a rate have the same. */
const mostOf = (variants: ExperimentResult['variants'], rate: Rate): number =>
  Math.max(
    1e-9,
    ...variants.flatMap(({ comparisons }) =>
      comparisons.flatMap(({ metric, low, high }) =>
        metric === rate && low !== null && high !== null ? [Math.abs(low), Math.abs(high)] : [],
      ),
    ),
  );
