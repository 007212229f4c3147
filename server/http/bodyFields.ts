// Fields that bodies of POST have in common.
import { z } from 'zod';

const key = (description: string) => z.unknown().meta({ type: 'string', description }).optional();

/** Site ID and write secret: the guard reads them, and they may also be in the query. */
export const KEYS = { apikey: key('Site ID.'), secret: key('The write secret.') };

export const DRY_RUN = {
  dry_run: z
    .boolean('Give true or false.')
    .meta({ description: 'true: changes nothing, and answers what would be.' })
    .optional(),
};
