// Minutes as small bars, the last one at the end.
import { toFigure } from '../figures.ts';

const HEIGHT = 26;
const STEP = 4;

export function Minutes({ course }: { course: readonly number[] }) {
  const most = Math.max(1, ...course);
  const newest = course.length - 1 - course.findLastIndex((count) => count > 0);
  const says =
    newest >= course.length ? 'none' : `the newest ${newest} minutes ago, at most ${toFigure(most)} a minute`;
  return (
    <svg
      class="minutes"
      viewBox={`0 0 ${course.length * STEP} ${HEIGHT}`}
      width={course.length * STEP}
      height={HEIGHT}
      role="img"
      aria-label={`By minute: ${says}`}
    >
      {course.map((count, at) => {
        const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
        return (
          <rect
            key={at}
            class={count === 0 ? 'none' : ''}
            x={at * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        );
      })}
    </svg>
  );
}
