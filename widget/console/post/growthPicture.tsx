// The drawing of a growth: the middle half of other posts as a band, their median, and the post itself. Hours of the
// first two days and the days after them have the same width.
import type { GrowthRecord } from '../../../server/contract/wire.ts';
import { ROOM } from '../curvePicture.tsx';
import { toCompact } from '../figures.ts';
import { GridLines } from '../gridLines.tsx';
import { labelled, lineOf, type Place, ticksTo } from '../scale.ts';

interface Props {
  rows: readonly GrowthRecord[];
  /** Chosen age. */
  at: number | undefined;
  size: { width: number; height: number };
}

const LABEL_WIDTH = 56;

export function GrowthPicture({ rows, at, size: { width, height } }: Props) {
  if (width === 0) return <svg height={height} aria-hidden="true" />;
  const most = Math.max(...rows.flatMap(({ views, typical }) => [views, typical?.high ?? 0]));
  const ticks = ticksTo(most, { isWhole: true });
  const floor = height - ROOM.bottom;
  const wide = width - ROOM.left - ROOM.right;
  const x = (index: number) => ROOM.left + (rows.length === 1 ? wide / 2 : (index / (rows.length - 1)) * wide);
  const y = (value: number) => floor - (value / ticks.at(-1)!) * (floor - ROOM.top);
  const line = (figure: (row: GrowthRecord) => number | undefined): Place[] =>
    rows.flatMap((row, index) => {
      const value = figure(row);
      return value === undefined ? [] : [{ x: x(index), y: y(value) }];
    });
  const now = line(({ views }) => views);
  const high = line(({ typical }) => typical?.high);
  const low = line(({ typical }) => typical?.low);
  const firstDay = rows.findIndex(({ unit }) => unit === 'day');
  const isOpen = rows.at(-1)!.partial;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <GridLines {...{ ticks, y, width }} room={ROOM} label={toCompact} />
      {labelled(rows.length, wide / LABEL_WIDTH).map((index) => (
        <text key={index} x={x(index)} y={height - 6} text-anchor={index === 0 ? 'start' : 'middle'}>
          {shortAge(rows[index]!)}
        </text>
      ))}
      {firstDay > 0 && <line class="turn" x1={x(firstDay - 0.5)} x2={x(firstDay - 0.5)} y1={ROOM.top} y2={floor} />}
      {high.length > 1 && <path class="band" d={`${lineOf([...high, ...low.reverse()])}Z`} />}
      <path class="before" d={lineOf(line(({ typical }) => typical?.median))} />
      <path class="now" d={lineOf(isOpen ? now.slice(0, -1) : now)} />
      {isOpen && <path class="now open" d={lineOf(now.slice(-2))} />}
      {now.length === 1 && <circle class="dot" cx={now[0]!.x} cy={now[0]!.y} r="4" />}
      {at !== undefined && now[at] && (
        <g class="marked">
          <line x1={now[at].x} x2={now[at].x} y1={ROOM.top} y2={floor} />
          <circle class="dot" cx={now[at].x} cy={now[at].y} r="4.5" />
        </g>
      )}
    </svg>
  );
}

const shortAge = ({ unit, age }: GrowthRecord): string => (unit === 'hour' ? `${age} h` : `day ${age}`);
