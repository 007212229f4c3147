// Kinds of sources now, each beside what is usual for it, as the figures are.
import type { NowSource } from '../../../server/contract/now.ts';
import { toFigure } from '../figures.ts';
import { Empty } from '../states.tsx';
import { Band } from './band.tsx';
import { isOfNow, KINDS, PLACES, rangeOf } from './words.ts';

export function NowSources({ sources }: { sources: readonly NowSource[] }) {
  const shown = sources.filter(isOfNow);
  return (
    <section class="sheet panel kinds" aria-label="Kinds of sources">
      <header>
        <h2>
          Kinds of sources <small>views in the last 5 minutes</small>
        </h2>
      </header>
      {shown.length === 0 && <Empty>No visit in the last five minutes.</Empty>}
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Views</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((source) => (
              <Kind key={source.category} source={source} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Kind({ source: { category, views, usual, place } }: { source: NowSource }) {
  return (
    <tr data-key={category}>
      <th scope="row">
        <span class="kind">{KINDS[category]}</span>
        <Band figure={{ value: views, usual, place }} />
        {place && (
          <span class="says">
            <b class={place}>{PLACES[place]}</b>, {rangeOf(usual, toFigure)}
          </span>
        )}
      </th>
      <td data-value={views}>{toFigure(views)}</td>
    </tr>
  );
}
