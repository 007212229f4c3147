// Records of a series, and what stands beside them: the whole period.
import { z } from 'zod';

/** Of each record. */
export const interval = {
  start: z.string().meta({ description: 'First moment: ISO 8601, with the offset of the site’s time zone.' }),
  partial: z
    .boolean()
    .meta({ description: 'It is not over yet, or the period begins or ends within it: only that part is counted.' }),
  metrics: z
    .record(z.string(), z.number())
    .meta({ description: 'What `metrics` asks for; 0 where nothing was counted.' }),
};

const metricsOfPeriod = z.record(z.string(), z.number());

export const totals = z
  .strictObject({
    metrics: metricsOfPeriod,
    previous: z
      .strictObject({
        metrics: metricsOfPeriod,
        partial: z.boolean().meta({ description: 'It begins before the first view of the site was counted.' }),
        days_before: z
          .int()
          .meta({ description: 'Days of traffic before it: after few, nearly all of its visitors are new.' }),
      })
      .optional(),
  })
  .meta({ description: 'With totals=1: the whole period, distinct visitors counted once.' });
