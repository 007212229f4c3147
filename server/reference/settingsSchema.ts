// The record of a site's settings.
import { z } from 'zod';
import { DIALS } from '../contract/dials.ts';

const dial = z.number().min(0).max(1).nullable();

export const settings = z.strictObject({
  dials: z
    .strictObject(Object.fromEntries(DIALS.map(({ name, sentence }) => [name, dial.meta({ description: sentence })])))
    .meta({ description: 'Of related posts; null: the default.' }),
});
