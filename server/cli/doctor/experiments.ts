// Experiments: whether the readers of a site, in two halves that saw the same, did the same.
import { type Finding, ok, warning } from '../../checkup/finding.ts';
import { inDigits } from '../../counted.ts';
import { METRICS } from '../../experiments/metrics.ts';
import type { ServerReport } from '../admin/report.ts';

const ABOUT = 'experiments';

/** @returns One finding for each site with experiments. */
export function examineExperiments(halves: ServerReport['halves']): Finding[] {
  return halves.map(({ site, readers, isKnown, differ, isUneven }) => {
    const came = readers.map((some) => inDigits(some)).join(' and ');
    const labels = METRICS.filter(({ name }) => differ.includes(name)).map(({ label }) => label);
    const wrong = [...(isUneven ? ['number of readers'] : []), ...labels];
    if (wrong.length === 0 && !isKnown)
      return ok(
        ABOUT,
        `Too few readers of ${site} saw lists in the last 7 days to compare two halves of them: ${came}.`,
      );
    if (wrong.length === 0)
      return ok(ABOUT, `Two halves of the readers of ${site}, ${came}, who saw the same lists, do not differ.`);
    return warning(
      ABOUT,
      `Two halves of the readers of ${site}, ${came}, who saw the same lists, differ: ${wrong.join(', ')}.`,
      'Do not believe experiments of this site before it is known why: one reader with very many views, such as a monitor or a robot, is the usual reason.',
    );
  });
}
