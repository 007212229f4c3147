// The record of an annotation, and what stands beside the list.
import { z } from 'zod';
import { DERIVED_KINDS, MAX_LABEL } from '../contract/annotations.ts';

export const annotation = {
  id: z.string().nullable().meta({ description: 'Of one that the site wrote: removes it. null: derived.' }),
  kind: z.string().meta({ description: `${DERIVED_KINDS.join(', ')}, or a word of the site’s own, such as deploy.` }),
  time: z.string().meta({ description: 'ISO 8601, with the offset of the site’s time zone.' }),
  label: z.string().meta({
    description: `Title of a post, what happened to an experiment, or text of the site’s own, up to ${MAX_LABEL} characters.`,
  }),
  url: z.string().meta({ description: 'Of the post that it is about; "": the whole site.' }),
};

export const more = z.int().min(0).meta({ description: 'How many older ones of the period are not listed.' });
