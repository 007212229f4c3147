// The drawing of today: the usual band of the weekday, its median, and the views so far.
import type { NowQuarter } from '../../../server/contract/now.ts';
import { toCompact, toTick } from '../figures.ts';
import { GridLines } from '../gridLines.tsx';
import { lineOf, type Place, ticksTo } from '../scale.ts';

interface Props {
  quarters: readonly NowQuarter[];
  /** Chosen quarter of an hour. */
  at?: number | undefined;
  size: { width: number; height: number };
  /** Size of its text, in pixels, where the style sheet makes it larger. */
  text?: number | undefined;
}

/** Pixels of its text, unless it is larger. */
const TEXT = 12;
/** Pixels around the drawing, for the labels of its axes. */
export const ROOM = { left: 44, right: 12, top: 12, bottom: 26 };
/** One and a half of a label: the first begins at its place, the others have it in their middle. */
const LABEL_WIDTH = 58;
const QUARTERS_OF_HOUR = 4;

export function TodayPicture({ quarters, at, size: { width, height }, text = TEXT }: Props) {
  if (width === 0 || quarters.length === 0) return <svg height={height} aria-hidden="true" />;
  const scale = text / TEXT;
  const room = { ...ROOM, left: ROOM.left * scale, bottom: ROOM.bottom * scale };
  const most = Math.max(...quarters.flatMap(({ views, usual }) => [views ?? 0, usual?.high ?? 0]));
  const ticks = ticksTo(most, { isWhole: true });
  const floor = height - room.bottom;
  const wide = width - room.left - room.right;
  const x = (index: number) => room.left + (index / Math.max(1, quarters.length - 1)) * wide;
  const y = (value: number) => floor - (value / ticks.at(-1)!) * (floor - room.top);
  const line = (figure: (quarter: NowQuarter) => number | null | undefined): Place[] =>
    quarters.flatMap((quarter, index) => {
      const value = figure(quarter);
      return value === null || value === undefined ? [] : [{ x: x(index), y: y(value) }];
    });
  const now = line(({ views }) => views);
  const isOpen = quarters.some(({ partial, views }) => partial && views !== null);
  const high = line(({ usual }) => usual?.high);
  const low = line(({ usual }) => usual?.low).reverse();
  const marked = at === undefined ? undefined : quarters[at];
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <GridLines {...{ ticks, y, width }} room={room} label={toCompact} />
      {labelledHours(quarters.length, wide / scale).map((index) => (
        <text key={index} x={x(index)} y={height - 6 * scale} text-anchor={index === 0 ? 'start' : 'middle'}>
          {toTick(quarters[index]!.start, 'hour')}
        </text>
      ))}
      {high.length > 0 && <path class="half" d={`${lineOf([...high, ...low])}Z`} />}
      <path class="median" d={lineOf(line(({ usual }) => usual?.median))} />
      <path class="now" d={lineOf(isOpen ? now.slice(0, -1) : now)} />
      {isOpen && <path class="now open" d={lineOf(now.slice(-2))} />}
      {now.length === 1 && <circle class="dot" cx={now[0]!.x} cy={now[0]!.y} r="4" />}
      {marked && (
        <g class="marked">
          <line x1={x(at!)} x2={x(at!)} y1={room.top} y2={floor} />
          {marked.views !== null && <circle class="dot" cx={x(at!)} cy={y(marked.views)} r="4.5" />}
        </g>
      )}
    </svg>
  );
}

/** Places of full hours, as many as have room. */
function labelledHours(quarters: number, wide: number): number[] {
  const hours = quarters / QUARTERS_OF_HOUR;
  const step = [1, 2, 3, 4, 6, 12].find((each) => (hours / each) * LABEL_WIDTH <= wide) ?? 24;
  const every = step * QUARTERS_OF_HOUR;
  return Array.from({ length: Math.ceil(quarters / every) }, (_, at) => at * every);
}
