// The record of a look at a site now.
import { z } from 'zod';
import { HOUR_MINUTES, NOW_FIGURES, NOW_MINUTES, NOW_SOURCES, PLACES, TRENDS } from '../contract/now.ts';

const count = z.int().min(0);
const counted = { visitors: count, views: count };

const usual = z
  .strictObject({ median: z.number(), low: z.number(), high: z.number() })
  .nullable()
  .meta({ description: 'Median and middle half of the last eight weeks; null: nothing is usual yet.' });

const place = z.enum(PLACES).nullable().meta({ description: 'Beside the middle half.' });

export const now = {
  period_start: z.string().meta({ description: `The last ${NOW_MINUTES} minutes; ISO 8601, UTC.` }),
  period_end: z.string().meta({ description: 'Left out itself, as in the parameter of this name.' }),
  weeks: count.meta({ description: 'Weeks with traffic on this weekday, of which the usual figures are made.' }),
  least_weeks: count.meta({ description: 'Of fewer weeks nothing is usual.' }),
  too_few_days: count.nullable().meta({
    description: 'Days that events are kept for, where these are too few for so many weeks; null: they are enough.',
  }),
  figures: z.array(
    z.strictObject({
      name: z.enum(NOW_FIGURES),
      minutes: count.meta({
        description: `Up to the end of the period: ${NOW_MINUTES}; of recirculation and clicks in lists, ${HOUR_MINUTES}.`,
      }),
      value: z.number().nullable().meta({ description: 'null: recirculation of an hour without a view.' }),
      usual,
      place,
    }),
  ),
  posts: z.array(
    z.strictObject({
      title: z.string(),
      url: z.string(),
      section: z.string(),
      pub_date: z.string().meta({ description: '`YYYY-MM-DDTHH:MM:SS`, UTC; "" when unknown.' }),
      ...counted,
      course: z
        .array(count)
        .meta({ description: 'Visitors of each five minutes of the last hour, the last ones included.' }),
      trend: z.enum(TRENDS).meta({ description: 'The last five minutes beside the others of the hour.' }),
    }),
  ),
  sections: z.array(z.strictObject({ name: z.string(), ...counted })),
  referrers: z.array(z.strictObject({ name: z.string(), type: z.string(), category: z.string(), ...counted })),
  sources: z
    .array(z.strictObject({ category: z.enum(NOW_SOURCES), views: count, usual, place }))
    .meta({ description: 'Page views by the category of their source, all categories in this order.' }),
  today: z
    .array(
      z.strictObject({
        start: z.string().meta({ description: 'ISO 8601, with the offset of the site’s time zone.' }),
        views: count.nullable().meta({ description: 'null: it has not begun.' }),
        partial: z.boolean().meta({ description: 'It is not over.' }),
        usual,
      }),
    )
    .meta({ description: 'Page views of posts by quarters of an hour of today.' }),
};
