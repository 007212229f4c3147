// Filters that the API refuses, such as a device that there is none of: said once for the page, not in each table.
import { type ComponentChildren, createContext } from 'preact';
import { useMemo, useState } from 'preact/hooks';

interface Refusing {
  /** Parameters that are filters of the page. */
  filters: readonly string[];
  refuse(message: string): void;
}

/** Of the page: its questions report to it what was refused. Default: each says it in its place. */
export const RefusedFilters = createContext<Refusing | undefined>(undefined);

interface Props {
  /** Those that are set, with their values. */
  filters: Readonly<Record<string, string | undefined>>;
  /** Figures under the filters. */
  children: ComponentChildren;
}

/** What is below it is drawn until the API refuses a filter, and again with other filters. */
export function UnlessRefused({ filters, children }: Props) {
  const of = JSON.stringify(filters);
  const [refused, setRefused] = useState({ of: '', message: '' });
  const refusing = useMemo(
    () => ({ filters: Object.keys(filters), refuse: (message: string) => setRefused({ of, message }) }),
    [of],
  );
  if (refused.of !== of) return <RefusedFilters.Provider value={refusing}>{children}</RefusedFilters.Provider>;
  return (
    <section class="sheet state" aria-label="Filters">
      <p role="alert">{refused.message}</p>
    </section>
  );
}
