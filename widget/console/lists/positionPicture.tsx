// The click rate by position in the list, with its intervals: how far down a list is still clicked. The table below it
// says the same in figures.
import { useRef } from 'preact/hooks';
import { toRoundRate } from '../figures.ts';
import { ticksTo } from '../scale.ts';
import { useWidth } from '../useWidth.ts';
import type { ListRecord } from './listTable.tsx';

const HEIGHT = 130;
const ROOM = { left: 46, right: 10, top: 10, bottom: 22 };
/** Wider intervals say that nothing is known: they would flatten the others. */
const SHOWN = 10;

export function PositionPicture({ rows }: { rows: readonly ListRecord[] }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const positions = rows.slice(0, SHOWN);
  // An interval that says nothing does not set the scale.
  const tops = positions.map(({ metrics: { click_rate: rate = 0, click_rate_high: high = 0 } }) =>
    Math.min(high, rate * 3),
  );
  const ticks = ticksTo(Math.max(0.001, ...tops), { count: 3 });
  const floor = HEIGHT - ROOM.bottom;
  const y = (rate: number) => floor - Math.min(1, rate / ticks.at(-1)!) * (floor - ROOM.top);
  const x = (at: number) => ROOM.left + ((at + 0.5) / positions.length) * Math.max(0, width - ROOM.left - ROOM.right);
  return (
    <div class="positions" ref={box}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick} class="tick">
            <line x1={ROOM.left} x2={width - ROOM.right} y1={y(tick)} y2={y(tick)} />
            <text x={ROOM.left - 8} y={y(tick) + 4} text-anchor="end">
              {toRoundRate(tick)}
            </text>
          </g>
        ))}
        {positions.map(
          ({ name, metrics: { click_rate: rate = 0, click_rate_low: low = 0, click_rate_high: high = 0 } }, at) => (
            <g key={name} class="whisker">
              <line x1={x(at)} x2={x(at)} y1={y(low)} y2={y(high)} />
              <line x1={x(at) - 5} x2={x(at) + 5} y1={y(low)} y2={y(low)} />
              <line x1={x(at) - 5} x2={x(at) + 5} y1={y(high)} y2={y(high)} />
              <circle class="dot" cx={x(at)} cy={y(rate)} r="4.5" />
              <text x={x(at)} y={HEIGHT - 5} text-anchor="middle">
                {name}
              </text>
            </g>
          ),
        )}
      </svg>
    </div>
  );
}
