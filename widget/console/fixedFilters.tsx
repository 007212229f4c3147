// The filters of a link, which its reader cannot change.
import type { Filters } from './choice.ts';
import { FILTERS } from './choice.ts';
import { labelOf, titleOf } from './panels.ts';

export function FixedFilters({ filters }: { filters: Filters }) {
  const chosen = FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  if (chosen.length === 0) return null;
  return (
    <ul class="chips fixed" aria-label="Filters">
      {chosen.map(([name, value]) => (
        <li key={name}>
          <span class="soft">{titleOf(name)}</span> <bdi>{labelOf(name, value)}</bdi>
        </li>
      ))}
    </ul>
  );
}
