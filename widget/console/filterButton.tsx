// A value of a filter in a table: a click sets it, or takes it away where it is set. On the page of a link it is text.
import type { ComponentChildren } from 'preact';
import type { FilterName, Filters } from './choice.ts';
import { useFixed } from './choiceLink.tsx';

export interface Filtering {
  filters: Filters;
  onFilter: (name: FilterName, value: string) => void;
}

interface Props extends Filtering {
  filter: FilterName;
  value: string;
  children: ComponentChildren;
}

export function FilterButton({ filter, value, filters, onFilter, children }: Props) {
  if (useFixed()) return <span class="name">{children}</span>;
  return (
    <button type="button" class="name" aria-pressed={filters[filter] === value} onClick={() => onFilter(filter, value)}>
      {children}
    </button>
  );
}
