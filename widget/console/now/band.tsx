// A figure beside what is usual, as a small picture: the middle half is a band, the median a line, the figure a dot.
import type { NowFigure } from '../../../server/contract/now.ts';

const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
/** The highest of them is not at the very edge. */
const ROOM = 1.12;

export function Band({ figure: { value, usual, place } }: { figure: Pick<NowFigure, 'value' | 'usual' | 'place'> }) {
  const most = Math.max(value ?? 0, usual?.high ?? 0) * ROOM || 1;
  const at = (amount: number) => `${Math.round((amount / most) * 1000) / 10}%`;
  return (
    <svg class={`band ${place ?? ''}`} width="100%" height={HEIGHT} aria-hidden="true">
      <line class="rail" x1="0" x2="100%" y1={MIDDLE} y2={MIDDLE} />
      {usual && (
        <>
          <rect
            class="half"
            x={at(usual.low)}
            y={3}
            width={at(Math.max(usual.high - usual.low, most / 100))}
            height={HEIGHT - 6}
            rx="4"
          />
          <line class="median" x1={at(usual.median)} x2={at(usual.median)} y1="3" y2={HEIGHT - 3} />
        </>
      )}
      {value !== null && <circle cx={at(value)} cy={MIDDLE} r="5.5" />}
    </svg>
  );
}
