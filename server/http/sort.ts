// The `sort` of lists of pages: every metric of the interface under its name, `_hits` for `views`.
import { z } from 'zod';
import { METRIC_NAMES, type Metric } from '../traffic/metrics.ts';

/** Default: views. */
export const sort = z
  .enum([...METRIC_NAMES, '_hits'], `Give one of ${METRIC_NAMES.join(', ')}.`)
  .default('views')
  .transform((name): Metric => (name === '_hits' ? 'views' : name))
  .meta({ description: 'Metric the records are ordered by, highest first.' });
