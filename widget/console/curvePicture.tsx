// The drawing of a curve: axes, the line of the period before, the line of this one and the area below it.
import { toCompact, toTick } from './figures.ts';
import { GridLines } from './gridLines.tsx';
import { areaOf, labelled, lineOf, type Place, ticksTo } from './scale.ts';

export interface Point {
  /** First moment of the interval, local. */
  start: string;
  /** Not all of the interval is counted: it is not over yet. */
  partial: boolean;
  now: number;
  before: number | undefined;
  /** `before` is of a part of its interval, of which this one is whole. */
  isBeforePartial: boolean;
}

interface Props {
  points: readonly Point[];
  /** Chosen interval. */
  at: number | undefined;
  size: { width: number; height: number };
  interval: 'hour' | 'day';
  /** Whole things are counted. */
  isWhole: boolean;
  /** Writes a value of the axis. Default: a figure, abbreviated. */
  label?: (value: number) => string;
  /** Intervals in which something happened. Default: none. */
  marks?: readonly number[];
}

/** Pixels around the drawing, for the labels of its axes. */
export const ROOM = { left: 44, right: 12, top: 12, bottom: 26 };
const LABEL_WIDTH = 64;

export function CurvePicture({ points, at, size, interval, isWhole, label = toCompact, marks = [] }: Props) {
  const { width, height } = size;
  if (width === 0 || points.length === 0) return <svg height={height} aria-hidden="true" />;
  const ticks = ticksTo(Math.max(...points.flatMap(({ now, before = 0 }) => [now, before])), { isWhole });
  const floor = height - ROOM.bottom;
  const wide = width - ROOM.left - ROOM.right;
  const x = (index: number) => ROOM.left + (points.length === 1 ? wide / 2 : (index / (points.length - 1)) * wide);
  const y = (value: number) => floor - (value / ticks.at(-1)!) * (floor - ROOM.top);
  const now = points.map((point, index): Place => ({ x: x(index), y: y(point.now) }));
  // What was counted in part of its interval would look as a rise that never was.
  const before = points.map(({ before: value, isBeforePartial }, index): Place | undefined =>
    value === undefined || isBeforePartial ? undefined : { x: x(index), y: y(value) },
  );
  const isOpen = points.at(-1)!.partial;
  const whole = isOpen ? now.slice(0, -1) : now;
  const [marked, beside] = at === undefined ? [] : [now[at], before[at]];
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <linearGradient id="below" x1="0" y1="0" x2="0" y2="1">
          <stop class="from" offset="0" />
          <stop class="to" offset="1" />
        </linearGradient>
      </defs>
      <GridLines {...{ ticks, y, width, label }} room={ROOM} />
      {labelled(points.length, wide / LABEL_WIDTH).map((index) => (
        <text key={index} x={x(index)} y={height - 6} text-anchor={anchorOf(index, points.length)}>
          {toTick(points[index]!.start, interval)}
        </text>
      ))}
      <path class="area" d={areaOf(now, floor)} />
      <path class="before" d={lineOf(before.filter((place) => place !== undefined))} />
      <path class="now" d={lineOf(whole)} />
      {isOpen && <path class="now open" d={lineOf(now.slice(-2))} />}
      {now.length === 1 && (
        <>
          {before[0] && <circle class="before" cx={before[0].x} cy={before[0].y} r="3.5" />}
          <circle class="dot" cx={now[0]!.x} cy={now[0]!.y} r="4" />
        </>
      )}
      {marks.map((index) => (
        <g key={index} class="annotation">
          <line x1={x(index)} x2={x(index)} y1={now[index]!.y} y2={floor} />
          <path d={`M${x(index)} ${floor - 6}l5 6l-5 6l-5 -6z`} />
        </g>
      ))}
      {marked && (
        <g class="marked">
          <line x1={marked.x} x2={marked.x} y1={ROOM.top} y2={floor} />
          {beside && <circle class="before" cx={beside.x} cy={beside.y} r="3.5" />}
          <circle class="dot" cx={marked.x} cy={marked.y} r="4.5" />
        </g>
      )}
    </svg>
  );
}

/** The labels at the ends stay within the drawing. */
function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count === 1) return 'middle';
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}
