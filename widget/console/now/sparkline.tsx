// The last hour of a post as a line that ends in a dot.

import type { NowPost } from '../../../server/contract/now.ts';
import { areaOf, lineOf, type Place } from '../scale.ts';

const WIDTH = 96;
const HEIGHT = 28;
const ROOM = 4;
/** One reader more is no mountain. */
const LEAST_MOST = 4;

export function Sparkline({ course, trend }: Pick<NowPost, 'course' | 'trend'>) {
  const most = Math.max(LEAST_MOST, ...course);
  const places = course.map(
    (readers, at): Place => ({
      x: ROOM + (at / Math.max(1, course.length - 1)) * (WIDTH - 2 * ROOM),
      y: HEIGHT - ROOM - (readers / most) * (HEIGHT - 2 * ROOM),
    }),
  );
  const last = places.at(-1);
  return (
    <svg
      class={`sparkline ${trend}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Readers by five minutes: ${course.join(', ')}`}
    >
      <path class="below" d={areaOf(places, HEIGHT - ROOM)} />
      <path class="line" d={lineOf(places)} />
      {last && <circle cx={last.x} cy={last.y} r="3" />}
    </svg>
  );
}
