// A figure of now: what it is, what is usual, and how they compare.
import type { NowFigure } from '../../../server/contract/now.ts';
import { Band } from './band.tsx';
import { EXPLAINED, LABELS, PLACES, usualOf, written } from './words.ts';

interface Props {
  figure: NowFigure;
  /** Such as `a Tuesday at 10:15`. */
  moment: string;
}

export function FigureCard({ figure, moment }: Props) {
  const { name, value, place } = figure;
  return (
    <li class={`figure ${name}`}>
      <span class="label">{LABELS[name]}</span>
      <strong data-figure={name} data-value={value}>
        {written(figure, value)}
      </strong>
      <Band figure={figure} />
      <span class="says">
        {place ? (
          <>
            <b class={place}>{PLACES[place]}</b>, {usualOf(figure)} for {moment}
          </>
        ) : value === null ? (
          'Nothing to say yet: no view in the last hour'
        ) : (
          EXPLAINED[name]
        )}
      </span>
      {place && <small>{EXPLAINED[name]}</small>}
    </li>
  );
}
