// What the lists on pages brought in a period, by what and where, and what is tried with them.
import { useEffect, useState } from 'preact/hooks';
import { AnnotationList } from '../annotationList.tsx';
import type { Params } from '../ask.ts';
import { SkipLink } from '../bar.tsx';
import { toggled } from '../choice.ts';
import { Curve } from '../curve.tsx';
import { toRange } from '../figures.ts';
import { FilterChips } from '../filterChips.tsx';
import { PeriodChooser } from '../periodChooser.tsx';
import { type Dates, datesOf, paramsOf, spanOf } from '../periods.ts';
import { UnlessRefused } from '../refusedFilters.tsx';
import { useAnnotations } from '../useAnnotations.ts';
import { Refreshes, useRefreshes } from '../useRefreshes.ts';
import { useSeries } from '../useSeries.ts';
import { useToday } from '../useToday.ts';
import type { ViewProps } from '../views.ts';
import { Dial } from './dial.tsx';
import { Experiments } from './experiments.tsx';
import { GROUPS } from './groups.ts';
import { Headlines } from './headlines.tsx';
import { ListChips } from './listChips.tsx';
import { LIST_METRICS, type ListFilterName, type ListMetricName, metricsUnder } from './listChoice.ts';
import { ListTable } from './listTable.tsx';
import { ListTotals } from './listTotals.tsx';
import { Rules } from './rules.tsx';

export function Lists({ session, choice, choose }: ViewProps) {
  const { period, own, lists } = choice;
  // Reports of lists do not say where a visit came from.
  const { referrer, ...filters } = choice.filters;
  const today = useToday(session);
  const dates = datesOf(period, own, today);
  const ofPeriod = useRefreshes(dates.to >= today);
  // Experiments, rules and tests of headlines are as they are now, whatever the period is.
  const ofNow = useRefreshes(true);
  const [changes, setChanges] = useState(0);
  const scopeOfPosts: Params = [...paramsOf(dates, today), ...Object.entries(filters)];
  const scope = [...scopeOfPosts, ...Object.entries(lists.filters)];
  const narrowed = { ...filters, ...lists.filters };
  const names = metricsUnder(Object.keys(narrowed));
  const filter = (name: ListFilterName, value: string) =>
    choose({ lists: { ...lists, filters: toggled(lists.filters, name, value) } });
  return (
    <>
      <section class="choices" aria-label="Period and filters">
        <PeriodChooser period={period} dates={dates} today={today} onChoose={choose} />
        <ListChips filters={lists.filters} onChange={(next) => choose({ lists: { ...lists, filters: next } })} />
        <FilterChips
          filters={filters}
          onChange={(next) => choose({ filters: { ...next, ...(referrer && { referrer }) } })}
        />
      </section>
      <main id="figures" tabIndex={-1} class="lists-view">
        {/* They stand behind the rows of eight tables. */}
        <SkipLink to="experiments" />
        <h1>
          What the lists brought <small>{toRange(dates)}</small>
        </h1>
        {referrer !== undefined && (
          <p class="note">
            The filter by referrer is left out here: reports of lists do not say where a visit came from.
          </p>
        )}
        <Refreshes.Provider value={ofPeriod}>
          <UnlessRefused filters={narrowed}>
            <ListFigures {...{ session, choice, choose, scope, scopeOfPosts, dates, names, changes }} />
            <div class="list-panels">
              {GROUPS.map((group) => (
                <ListTable
                  key={group.name}
                  group={group}
                  scope={scope}
                  filters={lists.filters}
                  isNarrowed={Object.keys(narrowed).length > 0}
                  onFilter={filter}
                  file={`${session.site}-lists-by-${group.name}-${spanOf(dates)}`}
                />
              ))}
            </div>
          </UnlessRefused>
        </Refreshes.Provider>
        <Refreshes.Provider value={ofNow}>
          <Experiments
            session={session}
            onFilter={filter}
            chosen={lists.filters.experiment}
            onChanged={() => setChanges((last) => last + 1)}
          />
          {session.shared === undefined && <Rules session={session} />}
          <Headlines />
        </Refreshes.Provider>
        {/* Its list would change below the hand that moves it. */}
        <Dial session={session} />
      </main>
    </>
  );
}

interface FiguresProps extends ViewProps {
  scope: Params;
  /** The same without the filters of lists. */
  scopeOfPosts: Params;
  dates: Dates;
  names: readonly ListMetricName[];
  /** How often an experiment was started, ended or archived in this view: annotations are asked again at each. */
  changes: number;
}

/** A component of its own, before the tables: the server answers in the order of the questions. */
function ListFigures({ session, choice, choose, scope, scopeOfPosts, dates, names, changes }: FiguresProps) {
  const { lists } = choice;
  const metric = names.includes(lists.metric) ? lists.metric : 'clicks';
  const series = useSeries(scope, dates, [...names, 'click_rate_low', 'click_rate_high']);
  const annotations = useAnnotations(scopeOfPosts);
  useEffect(() => {
    if (changes > 0) annotations.retry();
  }, [changes]);
  return (
    <section class="sheet" aria-label="Totals">
      <ListTotals
        series={series}
        names={names}
        metric={metric}
        onChoose={(next) => choose({ lists: { ...lists, metric: next } })}
      />
      <Curve
        series={series}
        metric={metric}
        name={`${session.site}-lists-${spanOf(dates)}`}
        metrics={Object.fromEntries(names.map((name) => [name, LIST_METRICS[name]]))}
        annotations={annotations.body?.data}
      />
      <AnnotationList session={session} annotations={annotations} />
    </section>
  );
}
