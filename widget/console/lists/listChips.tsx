// The filters of lists that are set: each can be taken away.

import { toggled } from '../choice.ts';
import { focusFigures } from '../takeFocus.ts';
import { labelOfList, titleOfList } from './groups.ts';
import { LIST_FILTERS, type ListFilterName, type ListFilters } from './listChoice.ts';

interface Props {
  filters: ListFilters;
  onChange: (filters: ListFilters) => void;
}

export function ListChips({ filters, onChange }: Props) {
  const set = LIST_FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [{ name, value: filters[name] }]));
  if (set.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters of lists">
      {set.map(({ name, value }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => {
              focusFigures();
              onChange(toggled(filters, name, value));
            }}
          >
            <Chosen name={name} value={value} /> <i aria-hidden="true">×</i>
            <span class="hidden">, take away</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Positions, and slots without a name, say in their label what they are. */
function Chosen({ name, value }: { name: ListFilterName; value: string }) {
  const [title, label] = [titleOfList(name), labelOfList(name, value)];
  return (
    <>
      {!label.startsWith(`${title} `) && <span class="soft">{title} </span>}
      <bdi>{label}</bdi>
    </>
  );
}
