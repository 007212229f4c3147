// The schema of a set of rules of editors as it is answered.
import { z } from 'zod';
import { HIDDEN_BY, LAST_PIN, RULE_STATES } from '../contract/rules.ts';

const hidden = z
  .strictObject(Object.fromEntries(HIDDEN_BY.map((by) => [by, z.string().optional()])))
  .meta({ description: 'What is left out of the list: one of these.' });

const rule = z.strictObject({
  pin: z.string().optional().meta({ description: 'URL of a post that stands at the position.' }),
  position: z.int().min(1).max(LAST_PIN).optional(),
  hide: hidden.optional(),
  on_section: z.string().optional().meta({ description: 'Only in lists on pages of this section.' }),
  on_tag: z.string().optional().meta({ description: 'Only in lists on pages with this tag.' }),
  from: z.string().optional().meta({ description: 'When it begins; ISO 8601, UTC.' }),
  until: z.string().optional().meta({ description: 'When it ends; ISO 8601, UTC.' }),
  state: z.enum(RULE_STATES),
});

export const ruleSet = {
  name: z.string(),
  always: z.boolean().meta({ description: 'Whether it applies to every related list that names no set.' }),
  rules: z.array(rule),
  version: z.string().meta({ description: 'Another one after every change of the set.' }),
};
