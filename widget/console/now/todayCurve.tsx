// The course of today beside the usual one of this weekday. A slider: the arrow keys and the pointer choose a quarter
// of an hour, whose figures are written out.
import { useRef, useState } from 'preact/hooks';
import type { NowQuarter } from '../../../server/contract/now.ts';
import { toFigure, toTimes } from '../figures.ts';
import { useWidth } from '../useWidth.ts';
import { ROOM, TodayPicture } from './todayPicture.tsx';
import { rangeOf } from './words.ts';

const HEIGHT = 220;

export function TodayCurve({ quarters, weekday }: { quarters: readonly NowQuarter[]; weekday: string }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, setAt] = useState<number>();
  const end = quarters.length - 1;
  const latest = quarters.findLastIndex(({ views }) => views !== null);
  const hasUsual = quarters.some(({ usual }) => usual !== null);
  const move = (to: number) => setAt(Math.max(0, Math.min(end, to)));
  const onKey = (event: KeyboardEvent) => {
    const from = at ?? latest;
    const steps: Record<string, number> = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: end };
    if (event.key === 'Escape') return setAt(undefined);
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  const place = at ?? Math.max(0, latest);
  const shown = quarters[place];
  const time = toTimes(quarters.map(({ start }) => start))[place] ?? '';
  const share = at === undefined || end === 0 ? 0 : at / end;
  return (
    <figure class="curve sheet today">
      <figcaption>
        <h2>Today</h2>
        <span class="key now">Views by quarter of an hour</span>
        {hasUsual && <span class="key half">Usual for a {weekday}</span>}
      </figcaption>
      <div
        ref={box}
        class="picture"
        role="slider"
        tabIndex={0}
        aria-label="Views of today by quarter of an hour"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, end)}
        aria-valuenow={Math.max(0, at ?? latest)}
        aria-valuetext={shown ? sentenceOf(shown, time) : 'Loading'}
        onKeyDown={onKey}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width: whole } = currentTarget.getBoundingClientRect();
          move(Math.round(((clientX - left - ROOM.left) / Math.max(1, whole - ROOM.left - ROOM.right)) * end));
        }}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <TodayPicture quarters={quarters} at={at} size={{ width, height: HEIGHT }} />
        {at !== undefined && shown && (
          <div class={`tip ${share > 0.5 ? 'left' : 'right'}`} style={{ '--at': String(share) }} aria-hidden="true">
            {shown.views !== null && <b>{toFigure(shown.views)}</b>}
            <span>
              {time}
              {shown.partial && ', so far'}
            </span>
            {shown.usual && <span class="soft">{rangeOf(shown.usual, whole)}</span>}
          </div>
        )}
      </div>
    </figure>
  );
}

const whole = (value: number): string => toFigure(Math.round(value));

function sentenceOf({ views, partial, usual }: NowQuarter, time: string): string {
  const counted = views === null ? 'not yet' : `${toFigure(views)}${partial ? ' so far' : ''}`;
  return [`${time}: ${counted}`, rangeOf(usual, whole)].filter((text) => text !== '').join(', ');
}
