// The course of the chosen metric with that of the period before beside it. A slider: the arrow keys and the pointer
// choose an interval, whose figures are written out.
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import type { IntervalRecord, SeriesTotals } from '../../server/contract/wire.ts';
import { nameOf, placed } from './annotations.ts';
import { METRICS } from './choice.ts';
import { download, toCsv } from './csv.ts';
import { CurvePicture, type Point } from './curvePicture.tsx';
import { toCellTimes, toCompact, toFigure, toMoments, toRate, toRoundRate } from './figures.ts';
import { RATES } from './lists/listChoice.ts';
import { SliderPicture } from './sliderPicture.tsx';
import { Empty } from './states.tsx';
import { Change, isTooEarly } from './totals.tsx';
import type { Series, SeriesBody } from './useSeries.ts';
import { WaitingButton } from './waitingButton.tsx';

interface Props {
  series: Series;
  metric: string;
  /** Name of its CSV. */
  name: string;
  /** All metrics that the series has, with their labels. Default: those of posts. */
  metrics?: Readonly<Record<string, string>>;
  /** What happened meanwhile. Default: nothing. */
  annotations?: readonly AnnotationRecord[];
}

/** Metrics that are no counts of whole things. */
const FRACTIONS: readonly string[] = [...['engaged_minutes', 'avg_engaged', 'engaged_minutes_caused'], ...RATES];

const HEIGHT = 260;
/** Of one interval, beside its figures. */
const MOST_SAID = 3;

export function Curve({ series, metric, name, metrics = METRICS, annotations = [] }: Props) {
  const { body, interval, isLoading, pending, message } = series;
  const label = metrics[metric] ?? metric;
  const isRate = RATES.includes(metric);
  const counted = body?.data[0]?.metrics ?? {};
  const isThere = body !== undefined && metric in counted;
  if (message !== '' && !isThere) return null;
  if (body?.data.length === 0) return <Empty>These days are still to come.</Empty>;
  const records = isThere ? body.data : [];
  const points = records.map((record) => toPoint(record, metric, body?.totals));
  const moments = toMoments(
    records.map(({ start }) => start),
    interval,
  );
  const momentsBefore = toMoments(
    records.flatMap(({ previous }) => previous?.start ?? []),
    interval,
  );
  const last = points.length - 1;
  const happened = placed(annotations, points, interval);
  return (
    <figure class="curve" aria-busy={pending.includes(metric)}>
      <figcaption>
        <span class="key now">
          {label} by {interval}
        </span>
        {(!isThere || points.some(({ before, isBeforePartial }) => before !== undefined && !isBeforePartial)) && (
          <span class="key before">Period before</span>
        )}
        {happened.size > 0 && <span class="key annotation">What happened</span>}
        {isThere && Object.keys(metrics).every((name) => name in counted) && (
          <WaitingButton
            type="button"
            class="plain"
            isBusy={isLoading}
            onClick={() => download(`${name}.csv`, toCsv(csvOf(body, { metrics, interval })))}
          >
            CSV<span class="hidden"> of the curve</span>
          </WaitingButton>
        )}
      </figcaption>
      <SliderPicture
        label={`${label} by ${interval}`}
        count={points.length}
        say={(at) => sentenceOf(points[at]!, { moment: moments[at]!, isRate }) + wordsOf(happened.get(at))}
        of={series.of}
      >
        {({ at, width }) =>
          !isThere ? (
            <i class="ghost" aria-hidden="true" />
          ) : (
            <>
              <CurvePicture
                points={points}
                at={at}
                size={{ width, height: HEIGHT }}
                interval={interval}
                isWhole={!FRACTIONS.includes(metric)}
                label={isRate ? toRoundRate : toCompact}
                marks={[...happened.keys()]}
              />
              {at !== undefined && (
                <Tip
                  point={points[at]!}
                  share={last === 0 ? 0 : at / last}
                  isCompared={body.totals.previous !== undefined}
                  isEarly={isTooEarly(body, metric)}
                  {...{ moment: moments[at]!, momentBefore: momentsBefore[at], isRate }}
                  happened={happened.get(at)}
                />
              )}
            </>
          )
        }
      </SliderPicture>
    </figure>
  );
}

interface Saying {
  /** When the interval begins. */
  moment: string;
  isRate: boolean;
}

const write = (isRate: boolean, value: number): string => (isRate ? toRate : toFigure)(value);

interface TipProps extends Saying {
  point: Point;
  /** When the interval beside it begins. */
  momentBefore: string | undefined;
  share: number;
  /** There is a period before. */
  isCompared: boolean;
  /** The site was too new then. */
  isEarly: boolean;
  happened: readonly AnnotationRecord[] | undefined;
}

function Tip({ point, share, isCompared, isEarly, moment, momentBefore, isRate, happened = [] }: TipProps) {
  return (
    <div class={`tip ${share > 0.5 ? 'left' : 'right'}`} style={{ '--at': String(share) }} aria-hidden="true">
      <b>{write(isRate, point.now)}</b>{' '}
      {isCompared && (
        <Change {...{ now: point.now, before: point.before, isPartial: point.isBeforePartial, isEarly, isRate }} />
      )}
      <span>
        {moment}
        {point.partial && ', so far'}
      </span>
      {point.before !== undefined && (
        <span class="soft">
          {write(isRate, point.before)} on {momentBefore}
        </span>
      )}
      {happened.slice(0, MOST_SAID).map((annotation) => (
        <span key={annotation.time + annotation.label} class="annotation">
          {nameOf(annotation.kind)}: <bdi>{annotation.label}</bdi>
        </span>
      ))}
      {happened.length > MOST_SAID && <span class="soft">and {happened.length - MOST_SAID} more</span>}
    </div>
  );
}

/** The same in words. */
function wordsOf(happened: readonly AnnotationRecord[] = []): string {
  const said = happened.slice(0, MOST_SAID).map(({ kind, label }) => `. ${nameOf(kind)}: ${label}`);
  const left = happened.length - said.length;
  return said.join('') + (left > 0 ? `, and ${left} more` : '');
}

function toPoint(record: IntervalRecord, metric: string, totals: SeriesTotals | undefined): Point {
  const { start, partial, metrics, previous } = record;
  const isBeforePartial = previous?.partial === true && !partial;
  return { start, partial, now: metrics[metric] ?? 0, before: beforeOf(record, metric, totals), isBeforePartial };
}

/** undefined: before the first view nothing is known, and 0 would say that there were no readers. */
function beforeOf(
  { partial, previous }: IntervalRecord,
  metric: string,
  totals: SeriesTotals | undefined,
): number | undefined {
  const whole = totals?.previous;
  if (whole?.partial === true && whole.metrics[metric] === 0) return undefined;
  const before = previous?.metrics[metric];
  return previous?.partial === true && !partial && before === 0 ? undefined : before;
}

function sentenceOf({ now, before, partial, isBeforePartial }: Point, { moment, isRate }: Saying): string {
  const so = partial ? ' so far' : '';
  const inPart = isBeforePartial ? ', counted in part' : '';
  const compared = before === undefined ? '' : `, ${write(isRate, before)} in the period before${inPart}`;
  return `${moment}: ${write(isRate, now)}${so}${compared}`;
}

interface Columns {
  metrics: Readonly<Record<string, string>>;
  interval: 'hour' | 'day';
}

function csvOf({ data, totals }: SeriesBody, { metrics, interval }: Columns): (string | number)[][] {
  const [names, labels] = [Object.keys(metrics), Object.values(metrics)];
  const starts = toCellTimes(
    data.map(({ start }) => start),
    interval,
  );
  return [
    ['Start', ...labels, ...labels.map((label) => `${label}, before`)],
    ...data.map((record, at) => [
      starts[at]!,
      ...names.map((name) => record.metrics[name] ?? ''),
      ...names.map((name) => beforeOf(record, name, totals) ?? ''),
    ]),
  ];
}
