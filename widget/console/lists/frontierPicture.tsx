// The frontier of the mix dial, drawn: what is kept of the page to the right, the next read upwards. A slider: a click
// chooses the setting nearest to it, the arrow keys the ones beside it, and what it gives is said in words.
import { useRef, useState } from 'preact/hooks';
import type { FrontierPointRecord, FrontierResult } from '../../../server/contract/frontier.ts';
import { toShare } from '../figures.ts';
import { GridLines } from '../gridLines.tsx';
import { lineOf, type Place, ticksTo } from '../scale.ts';
import { useWidth } from '../useWidth.ts';

interface Props {
  result: FrontierResult;
  /** Where the slider of the dial stands: a setting, or between two. */
  mix: number;
  onChoose: (mix: number) => void;
}

const HEIGHT = 300;
const ROOM = { left: 44, right: 16, top: 36, bottom: 40 };
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** Settings whose points lie closer than this share a label. */
const LABEL = { width: 30, height: 15 };
const CHARACTER = 7;

export function FrontierPicture({ result, mix, onChoose }: Props) {
  const { points, recommended } = result;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [hovered, setHovered] = useState<number>();
  const { places, ticks, y, x } = placesOf(points, width);
  const at = nearestSetting(points, mix);
  const sentence = (index: number) => sentenceOf(points[index]!, points[index]!.mix === recommended);
  const said = points[at]!.mix === mix ? sentence(at) : `The nearest that was measured is ${sentence(at)}`;
  const onKey = (event: KeyboardEvent) => {
    const last = points.length - 1;
    const steps: Record<string, number> = {
      ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 },
      ...{ Home: 0, End: last },
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChoose(points[Math.max(0, Math.min(last, to))]!.mix);
  };
  const nearest = (event: PointerEvent) => {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return nearestPlace(places, { x: event.clientX - left, y: event.clientY - top });
  };
  return (
    <figure class="frontier-of">
      <figcaption>
        <span class="key point">A setting</span>
        <span class="key ring">Recommended</span>
        <span class="key slider">The slider</span>
      </figcaption>
      <div
        ref={box}
        class="picture"
        role="slider"
        tabIndex={0}
        aria-label="Settings of the mix dial, by what they give"
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={mix}
        aria-valuetext={said}
        onKeyDown={onKey}
        onPointerMove={(event) => setHovered(nearest(event))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => onChoose(points[nearest(event as unknown as PointerEvent)]!.mix)}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          <GridLines {...{ ticks, y, width }} room={ROOM} label={(value) => String(value)} />
          {SHARES.map((share) => (
            <text key={share} x={x(share)} y={HEIGHT - ROOM.bottom + 16} text-anchor={share === 1 ? 'end' : 'middle'}>
              {toShare(share)}
            </text>
          ))}
          <text x={ROOM.left} y="12">
            MRR@20 of the next read ↑
          </text>
          <text x={width - ROOM.right} y={HEIGHT - 4} text-anchor="end">
            kept of the page’s own ten →
          </text>
          <path class="before" d={lineOf(places)} />
          {places.map((place, index) => (
            <circle
              key={points[index]!.mix}
              class={`dot${index === hovered ? ' hovered' : ''}`}
              data-mix={points[index]!.mix}
              cx={place.x}
              cy={place.y}
              r="5"
            />
          ))}
          <Marks points={points} places={places} {...{ mix, recommended, width }} />
        </svg>
      </div>
      <p class="soft" aria-hidden="true">
        {hovered === undefined ? said : sentence(hovered)}
      </p>
    </figure>
  );
}

interface MarksProps {
  points: readonly FrontierPointRecord[];
  places: readonly Place[];
  mix: number;
  recommended: number;
  width: number;
}

/** A ring and a diamond: colour alone would not distinguish them from the points. */
function Marks({ points, places, mix, recommended, width }: MarksProps) {
  const chosen = places[points.findIndex((point) => point.mix === recommended)];
  const here = placeAt(points, places, mix);
  return (
    <>
      {chosen && <circle class="ring" cx={chosen.x} cy={chosen.y} r="10" />}
      <path class="slider-mark" d={`M${here.x} ${here.y - 8}l8 8l-8 8l-8 -8z`} />
      {labelsOf(points, places).map(({ place, mixes }) => {
        const text = mixes.join(' · ');
        const isAtEdge = place.x + 14 + text.length * CHARACTER > width;
        return (
          <text
            key={text}
            x={isAtEdge ? place.x - 12 : place.x + 12}
            y={isAtEdge ? place.y + 16 : place.y - 9}
            text-anchor={isAtEdge ? 'end' : 'start'}
          >
            {text}
          </text>
        );
      })}
    </>
  );
}

/** What a setting gives, in words. */
const sentenceOf = ({ mix, kept, mrr, hit_rate: hits }: FrontierPointRecord, isRecommended: boolean): string =>
  `mix ${mix}: ${toShare(kept)} of the page’s own ten stay; MRR@20 ${mrr.toFixed(3)}, the next read among twenty in ` +
  `${toShare(hits)}${isRecommended ? '; recommended' : ''}`;

function placesOf(points: readonly FrontierPointRecord[], width: number) {
  const ticks = ticksTo(Math.max(0.001, ...points.map(({ mrr }) => mrr)));
  const floor = HEIGHT - ROOM.bottom;
  const x = (share: number) => ROOM.left + share * Math.max(0, width - ROOM.left - ROOM.right);
  const y = (value: number) => floor - (value / ticks.at(-1)!) * (floor - ROOM.top);
  return { ticks, x, y, places: points.map(({ kept, mrr }): Place => ({ x: x(kept), y: y(mrr) })) };
}

const nearestSetting = (points: readonly FrontierPointRecord[], mix: number): number =>
  leastOf(points.map((point) => Math.abs(point.mix - mix)));

const nearestPlace = (places: readonly Place[], { x, y }: Place): number =>
  leastOf(places.map((place) => Math.hypot(place.x - x, place.y - y)));

const leastOf = (distances: readonly number[]): number => distances.indexOf(Math.min(...distances));

/** On the line between the two settings beside it. */
function placeAt(points: readonly FrontierPointRecord[], places: readonly Place[], mix: number): Place {
  const after = Math.max(
    1,
    points.findIndex((point) => point.mix >= mix),
  );
  const [from, to] = [points[after - 1]!.mix, points[after]!.mix];
  const [a, b] = [places[after - 1]!, places[after]!];
  const share = (mix - from) / (to - from);
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}

function labelsOf(points: readonly FrontierPointRecord[], places: readonly Place[]) {
  const groups: { place: Place; mixes: number[] }[] = [];
  for (const [index, place] of places.entries()) {
    const last = groups.at(-1);
    const isClose =
      last &&
      Math.abs(last.place.x - place.x) < LABEL.width + (last.mixes.length - 1) * 4 * CHARACTER &&
      Math.abs(last.place.y - place.y) < LABEL.height;
    if (isClose) last.mixes.push(points[index]!.mix);
    else groups.push({ place, mixes: [points[index]!.mix] });
  }
  return groups;
}
