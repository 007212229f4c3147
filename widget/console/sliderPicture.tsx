// A drawing with places along its width that are chosen with the pointer or the arrow keys, as of a slider. What is at
// the chosen place is said in words.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ROOM } from './curvePicture.tsx';
import { useWidth } from './useWidth.ts';

interface Props {
  label: string;
  /** Places, the first at the left edge of the drawing. */
  count: number;
  /** What is at a place. */
  say: (at: number) => string;
  /** The choice is forgotten when it changes. */
  of: unknown;
  /** @param shown.at undefined: none is chosen. */
  children: (shown: { at: number | undefined; width: number }) => ComponentChildren;
}

export function SliderPicture({ label, count, say, of, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<number>();
  useEffect(() => setChosen(undefined), [of]);
  const last = count - 1;
  const at = chosen === undefined || count === 0 ? undefined : Math.min(chosen, last);
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
  return (
    <div
      ref={box}
      class="picture"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at ?? last)}
      aria-valuetext={last < 0 ? 'Loading' : say(at ?? last)}
      onKeyDown={onKey}
      onPointerMove={({ clientX, currentTarget }) => {
        const { left, width: whole } = currentTarget.getBoundingClientRect();
        if (last >= 0)
          move(Math.round(((clientX - left - ROOM.left) / Math.max(1, whole - ROOM.left - ROOM.right)) * last));
      }}
      onPointerLeave={() => setChosen(undefined)}
      onBlur={() => setChosen(undefined)}
    >
      {children({ at, width })}
    </div>
  );
}
