// The record of a test of titles and pictures.
import { z } from 'zod';

const count = z.int().min(0);

export const headline = {
  url: z.string(),
  state: z.enum(['running', 'won', 'stopped']),
  started: z.string().meta({ description: 'ISO 8601, UTC.' }),
  ended: z.string().nullable(),
  winner: z.int().nullable().meta({ description: 'Number of the alternative that won, from 1; null: none has.' }),
  announced: z
    .string()
    .nullable()
    .meta({ description: 'When the webhook of the site took the winner; null for Slack, which gets a sentence.' }),
  alternatives: z
    .array(
      z.strictObject({
        title: z.string(),
        image_url: z.string(),
        share: z.number().meta({ description: 'Of the readers, 0 to 1; of one that ended, as it was at the end.' }),
        metrics: z
          .strictObject({
            seen: count,
            clicks: count,
            quality_clicks: count,
            probability: z.number().meta({ description: 'To be the best one by its quality clicks, 0 to 1.' }),
          })
          .optional()
          .meta({ description: 'Of one test that is asked for, as long as the reports of its pages are kept.' }),
      }),
    )
    .meta({ description: "By number, from 1: the post's own first." }),
};
