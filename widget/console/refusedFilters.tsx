// Filters that the API refuses, such as an unknown device: one message for the page, not one in each table.
import { type ComponentChildren, createContext } from 'preact';
import { useMemo, useState } from 'preact/hooks';

interface Refusing {
  /** Parameters that are filters of the page. */
  filters: readonly string[];
  refuse(message: string): void;
}

/** Collects the refused filters of a page. Default: each table shows its own message. */
export const RefusedFilters = createContext<Refusing | undefined>(undefined);

interface Props {
  /** Those that are set, with their values. */
  filters: Readonly<Record<string, string | undefined>>;
  /** Figures under the filters. */
  children: ComponentChildren;
}

/** Draws its children until the API refuses a filter; with other filters it draws them again. */
export function UnlessRefused({ filters, children }: Props) {
  const key = JSON.stringify(filters);
  const [refused, setRefused] = useState({ key: '', message: '' });
  const refusing = useMemo(
    () => ({ filters: Object.keys(filters), refuse: (message: string) => setRefused({ key, message }) }),
    [key],
  );
  if (refused.key !== key) return <RefusedFilters.Provider value={refusing}>{children}</RefusedFilters.Provider>;
  return (
    <section class="sheet state" aria-label="Filters">
      <p role="alert">{refused.message}</p>
    </section>
  );
}
