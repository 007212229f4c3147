// The filters that are set: each can be taken away.
import { FILTERS, type Filters, toggled } from './choice.ts';
import { labelOf, titleOf } from './panels.ts';
import { focusFigures } from './takeFocus.ts';

export function FilterChips({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const set = FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [{ name, value: filters[name] }]));
  if (set.length === 0) return null;
  const change = (next: Filters) => {
    focusFigures();
    onChange(next);
  };
  return (
    <ul class="chips" aria-label="Filters">
      {set.map(({ name, value }) => (
        <li key={name}>
          <button
            type="button"
            title={`Take the filter ${titleOf(name)} away`}
            onClick={() => change(toggled(filters, name, value))}
          >
            <span class="soft">{titleOf(name)}</span> <bdi>{labelOf(name, value)}</bdi> <i aria-hidden="true">×</i>
            <span class="hidden">, take away</span>
          </button>
        </li>
      ))}
      {set.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={() => change({})}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
