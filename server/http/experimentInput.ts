// The schema of a new experiment, for the interface and for the command line. It says the kinds of values; the rules
// are in experiments/experiment.ts, whose sentences name the variant.
import { z } from 'zod';
import { LAYOUTS, MOST_POSTS } from '../contract/attributes.ts';
import { GOALS, MOST_VARIANTS, PLANNED_READERS, RANKINGS } from '../contract/experiments.ts';

const FEWEST_READERS = 1_000;
const MOST_READERS = 100_000_000;

const READERS = `Give a whole number of readers from ${FEWEST_READERS} to ${MOST_READERS}.`;
const VARIANTS = 'Give variants as objects with name, share and what they change.';

const setting = (description: string, meta: object = {}) =>
  z
    .union([z.string(), z.number()], VARIANTS)
    .meta({ description, ...meta })
    .optional();

const variant = z.strictObject(
  {
    name: z.string(VARIANTS).meta({ description: 'Lower-case letters, digits and hyphens.' }),
    share: z
      .number('Give a whole number of percent, from 1 to 99.')
      .meta({ description: 'Percent of the readers; all together 100.' }),
    layout: setting('Layout of the list.', { enum: LAYOUTS }),
    heading: setting('Heading of the list, as plain text.'),
    limit: setting('Posts shown.', { minimum: 1, maximum: MOST_POSTS }),
    slot: setting('Name of another slot of the page, in which the list is drawn.'),
    ranking: setting('Which posts, in which order.', { enum: RANKINGS }),
    rules: setting('Name of the set of rules of editors that applies to a related list; none: no rules.'),
    list: setting('none: no list is drawn, to see what the list brings.', { enum: ['none'] }),
  },
  VARIANTS,
);

export const EXPERIMENT_INPUT = z.strictObject(
  {
    name: z.string('Give a name.').meta({ description: 'Unique on the site, archived ones included.' }),
    slot: z.string('Give the name of a slot.').meta({ description: 'Name of the slot whose list is changed.' }),
    goal: z
      .enum(GOALS, `Give one of ${GOALS.join(', ')}.`)
      .meta({ description: 'What decides; the other rates are guardrails. Default: clicks.' })
      .optional(),
    readers: z
      .int(READERS)
      .min(FEWEST_READERS, READERS)
      .max(MOST_READERS, READERS)
      .meta({ description: `Readers after which it ends; default ${PLANNED_READERS}.` })
      .optional(),
    variants: z
      .array(variant, VARIANTS)
      .max(MOST_VARIANTS, `Give at most ${MOST_VARIANTS} variants.`)
      .meta({ description: 'The control first: it changes nothing.' }),
  },
  'Give an experiment with name, slot and variants.',
);
