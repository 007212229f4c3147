// The course of the chosen metric with that of the period before beside it. A slider: the arrow keys and the pointer
// choose an interval, whose figures are written out.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { IntervalRecord } from '../../server/contract/wire.ts';
import { METRIC_NAMES, METRICS, type MetricName } from './choice.ts';
import { download, toCsv } from './csv.ts';
import { CurvePicture, type Point, ROOM } from './curvePicture.tsx';
import { toFigure, toMoment } from './figures.ts';
import { Change } from './totals.tsx';
import type { Series } from './useSeries.ts';
import { useWidth } from './useWidth.ts';

interface Props {
  series: Series;
  metric: MetricName;
  /** Begins the name of its CSV. */
  name: string;
}

const HEIGHT = 260;

export function Curve({ series: { body, interval, isLoading, message }, metric, name }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<number>();
  useEffect(() => setChosen(undefined), [body]);
  if (message !== '') return null;
  const points = (body?.data ?? []).map((record) => toPoint(record, metric));
  const at = chosen === undefined ? undefined : Math.min(chosen, points.length - 1);
  const last = points.length - 1;
  const move = (to: number) => setChosen(Math.max(0, Math.min(last, to)));
  const onKey = (event: KeyboardEvent) => {
    const from = at ?? last;
    const steps: Record<string, number> = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last };
    if (event.key === 'Escape') return setChosen(undefined);
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  const shown = points[at ?? last];
  return (
    <figure class="curve" aria-busy={isLoading}>
      <figcaption>
        <span class="key now">
          {METRICS[metric]} by {interval}
        </span>
        <span class="key before">Period before</span>
        {body && (
          <button type="button" class="plain" onClick={() => download(`${name}.csv`, toCsv(csvOf(body.data)))}>
            CSV<span class="hidden"> of the curve</span>
          </button>
        )}
      </figcaption>
      <div
        ref={box}
        class="picture"
        role="slider"
        tabIndex={0}
        aria-label={`${METRICS[metric]} by ${interval}`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, at ?? last)}
        aria-valuetext={shown ? sentenceOf(shown, interval) : 'Loading'}
        onKeyDown={onKey}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width: whole } = currentTarget.getBoundingClientRect();
          if (last >= 0)
            move(Math.round(((clientX - left - ROOM.left) / Math.max(1, whole - ROOM.left - ROOM.right)) * last));
        }}
        onPointerLeave={() => setChosen(undefined)}
        onBlur={() => setChosen(undefined)}
      >
        {body === undefined ? (
          <i class="ghost" aria-hidden="true" />
        ) : (
          <CurvePicture points={points} at={at} size={{ width, height: HEIGHT }} interval={interval} />
        )}
        {at !== undefined && shown && <Tip point={shown} share={last === 0 ? 0 : at / last} interval={interval} />}
      </div>
    </figure>
  );
}

function Tip({ point, share, interval }: { point: Point; share: number; interval: Series['interval'] }) {
  return (
    <div class={`tip ${share > 0.5 ? 'left' : 'right'}`} style={{ '--at': String(share) }} aria-hidden="true">
      <b>{toFigure(point.now)}</b> <Change now={point.now} before={point.before} />
      <span>
        {toMoment(point.start, interval)}
        {point.partial && ', so far'}
      </span>
      {point.before !== undefined && (
        <span class="soft">
          {toFigure(point.before)} on {toMoment(point.beforeStart ?? '', interval)}
        </span>
      )}
    </div>
  );
}

const toPoint = ({ start, partial, metrics, previous }: IntervalRecord, metric: MetricName): Point => ({
  start,
  partial,
  now: metrics[metric] ?? 0,
  before: previous?.metrics[metric],
  beforeStart: previous?.start,
});

function sentenceOf({ start, now, before, partial }: Point, interval: Series['interval']): string {
  const so = partial ? ' so far' : '';
  const compared = before === undefined ? '' : `, ${toFigure(before)} in the period before`;
  return `${toMoment(start, interval)}: ${toFigure(now)}${so}${compared}`;
}

function csvOf(data: readonly IntervalRecord[]): (string | number)[][] {
  const of = (record: { metrics: Record<string, number> } | undefined) =>
    METRIC_NAMES.map((name) => record?.metrics[name] ?? 0);
  return [
    ['Start', ...METRIC_NAMES.map((name) => METRICS[name]), ...METRIC_NAMES.map((name) => `${METRICS[name]}, before`)],
    ...data.map((record) => [record.start, ...of(record), ...of(record.previous)]),
  ];
}
