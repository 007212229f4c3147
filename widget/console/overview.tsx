// Any period: the totals and their curve, and what made them.
import { FILTERS, type FilterName, toggled } from './choice.ts';
import { useFixed } from './choiceLink.tsx';
import { Devices } from './devices.tsx';
import { toRange } from './figures.ts';
import { FilterChips } from './filterChips.tsx';
import { FixedFilters } from './fixedFilters.tsx';
import { PANELS } from './panels.ts';
import { PanelTable } from './panelTable.tsx';
import { PeriodChooser } from './periodChooser.tsx';
import { PeriodFigures } from './periodFigures.tsx';
import { datesOf, paramsOf, spanOf } from './periods.ts';
import { UnlessRefused } from './refusedFilters.tsx';
import { Refreshes, useRefreshes } from './useRefreshes.ts';
import { useToday } from './useToday.ts';
import type { ViewProps } from './views.ts';

export function Overview({ session, choice, choose }: ViewProps) {
  const { period, own, metric, filters } = choice;
  const isFixed = useFixed();
  const today = useToday(session);
  const dates = datesOf(period, own, today);
  const span = spanOf(dates);
  const refreshes = useRefreshes(dates.to >= today);
  const narrowed = FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  const scope = [...paramsOf(dates, today), ...narrowed];
  const filter = (name: FilterName, value: string) => choose({ filters: toggled(filters, name, value) });
  return (
    <Refreshes.Provider value={refreshes}>
      {!isFixed && (
        <section class="choices" aria-label="Period and filters">
          <PeriodChooser period={period} dates={dates} today={today} onChoose={choose} />
          <FilterChips filters={filters} onChange={(next) => choose({ filters: next })} />
        </section>
      )}
      <main id="figures" tabIndex={-1}>
        <h1>
          {session.site} <small>{toRange(dates)}</small>
        </h1>
        {isFixed && <FixedFilters filters={filters} />}
        <UnlessRefused filters={filters}>
          <PeriodFigures
            label="Totals"
            {...{ session, choice, choose, scope, dates }}
            file={`${session.site}-traffic-${span}`}
            // Notes of the newsroom and names of its experiments are not for all who have a link.
            isAnnotated={!isFixed}
          />
          <div class="panels">
            {PANELS.map((panel) => (
              <PanelTable
                key={panel.name}
                panel={panel}
                scope={scope}
                metric={metric}
                filters={filters}
                onFilter={filter}
                file={`${session.site}-${panel.name}-${span}`}
              />
            ))}
            <Devices scope={scope} filters={filters} onFilter={filter} file={`${session.site}-devices-${span}`} />
          </div>
        </UnlessRefused>
      </main>
    </Refreshes.Provider>
  );
}
