// The totals of a period, their curve, and what happened meanwhile.
import type { ComponentChildren } from 'preact';
import { AnnotationList } from './annotationList.tsx';
import type { Params } from './ask.ts';
import { Curve } from './curve.tsx';
import type { Dates } from './periods.ts';
import { Totals } from './totals.tsx';
import { useAnnotations } from './useAnnotations.ts';
import { useSeries } from './useSeries.ts';
import type { ViewProps } from './views.ts';

interface Props extends ViewProps {
  label: string;
  /** What is asked for, beside the metrics. */
  scope: Params;
  dates: Dates;
  /** Name of its CSV. */
  file: string;
  /** Why there is no period before to compare with. Default: it is compared. */
  alone?: string | false;
  /** Whether annotations are shown. Default: true. */
  isAnnotated?: boolean;
  /** Between the totals and the curve. */
  children?: ComponentChildren;
}

/** A component of its own, before the tables of a page: the server answers in the order of the questions. */
export function PeriodFigures({
  label,
  scope,
  dates,
  file,
  isAnnotated = true,
  alone = false,
  children,
  ...props
}: Props) {
  const { session, choice, choose } = props;
  const series = useSeries(scope, dates, undefined, alone === false);
  const annotations = useAnnotations(scope, isAnnotated);
  return (
    <section class="sheet" aria-label={label}>
      <Totals series={series} metric={choice.metric} onChoose={(metric) => choose({ metric })} />
      {alone && <p class="hint alone">{alone}</p>}
      {children}
      <Curve series={series} metric={choice.metric} name={file} annotations={annotations.body?.data} />
      <AnnotationList session={session} annotations={annotations} />
    </section>
  );
}
