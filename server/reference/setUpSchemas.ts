// The records of setting a site up.
import { z } from 'zod';
import { EVENT_KINDS, SETUP_MINUTES } from '../contract/setUp.ts';

const count = z.int().min(0);
const course = z.array(count).meta({ description: 'Of each minute, the last one not over.' });

export const setUp = {
  period_start: z.string().meta({ description: `The last ${SETUP_MINUTES} minutes; ISO 8601, UTC.` }),
  period_end: z.string().meta({ description: 'Left out itself, as in the parameter of this name.' }),
  events: z.array(
    z.strictObject({
      kind: z.enum(EVENT_KINDS).meta({ description: 'lists: reports of lists that were shown, seen or clicked.' }),
      count,
      course,
      last: z
        .strictObject({ time: z.string().meta({ description: 'ISO 8601, UTC.' }), url: z.string() })
        .nullable()
        .meta({ description: 'The newest within two days; null: none.' }),
    }),
  ),
  drops: z
    .array(
      z.strictObject({
        reason: z.string().meta({ description: 'Why they were not stored, as in the answer of `POST /events`.' }),
        count,
        course,
      }),
    )
    .meta({ description: 'Counted by the copy of the server that answers, since its start.' }),
  shared: z
    .boolean()
    .meta({ description: 'Other copies of the server may use the database and count their own drops.' }),
};
