// A set of rules of editors as it is wished for, by the endpoint or by a command: the kinds of values, and what they
// mean on a site. The rules for rules are in rules/ruleSet.ts, whose sentences name the rule.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { HIDDEN_BY, LAST_PIN, MOST_RULES, NO_RULES } from '../contract/rules.ts';
import { putSet, type RuleSet, RuleSetError, type WishedRule } from '../rules/ruleSet.ts';
import type { Site } from '../sites/site.ts';
import { instantFor, MOMENT_FORMS, parseMoment } from '../traffic/moment.ts';
import { url } from './params.ts';

const LONGEST = 200;
const NAME = `Give a name of 1 to ${LONGEST} characters.`;
const RULE = 'Give rules as objects with pin or hide.';
const POSITION = `Give a whole number from 1 to ${LAST_PIN}.`;

const name = (description: string) =>
  z
    .string(NAME)
    .trim()
    .min(1, NAME)
    .max(LONGEST, NAME)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, NAME)
    .meta({ description })
    .optional();

const moment = (description: string) =>
  z
    .string(MOMENT_FORMS)
    .refine((written) => parseMoment(written) !== undefined, MOMENT_FORMS)
    .meta({ description })
    .optional();

const hide = z.strictObject(
  {
    url: url.meta({ description: 'A post.' }).optional(),
    section: name('All posts of a section.'),
    tag: name('All posts with a tag.'),
    author: name('All posts of an author.'),
  },
  `Give one of ${HIDDEN_BY.join(', ')}.`,
);

const rule = z.strictObject(
  {
    pin: url.meta({ description: 'URL of a post that stands at a position of the list.' }).optional(),
    position: z
      .int(POSITION)
      .min(1, POSITION)
      .max(LAST_PIN, POSITION)
      .meta({ description: 'Of a pin, from 1. Default: 1.' })
      .optional(),
    hide: hide.meta({ description: 'What is left out of the list: one of these.' }).optional(),
    on_section: name('Only in lists on pages of this section.'),
    on_tag: name('Only in lists on pages with this tag.'),
    from: moment('When it begins, in any form that periods take. Default: now.'),
    until: moment('When it ends; a date is its first moment. Default: never.'),
  },
  RULE,
);

export const RULE_SET_WISH = z.strictObject(
  {
    name: z.string('Give a name.').meta({
      description: `Lower-case letters, digits and hyphens; not ${NO_RULES}. A set of this name is replaced.`,
    }),
    always: z
      .boolean('Give true or false.')
      .meta({ description: 'Whether it applies to every related list that names no set. Default: false.' })
      .optional(),
    rules: z
      .array(rule, RULE)
      .max(MOST_RULES, `Give at most ${MOST_RULES} rules.`)
      .meta({ description: 'Of several pins to one position the first stands there, the others behind it.' }),
  },
  'Give a set with name and rules.',
);

type Wish = z.output<typeof RULE_SET_WISH>;

/**
 * The rule sets of a site with this one among them. URLs may be any address of a post.
 * @throws {RuleSetError} for the first thing that is wrong with the wish.
 */
export async function withRuleSet(
  { library }: Pick<Deps, 'library'>,
  site: Site,
  { wish, now }: { wish: Wish; now: number },
): Promise<RuleSet[]> {
  const at = (written: string | undefined) => {
    const parsed = written === undefined ? undefined : parseMoment(written);
    return parsed && instantFor(parsed, 'start', { now, zone: site.timezone });
  };
  const rules = await Promise.all(
    wish.rules.map(
      async ({ pin, position, hide: hidden, on_section, on_tag, from, until }, index): Promise<WishedRule> => {
        const post = pin === undefined ? undefined : await canonicalPost(library, site, { url: pin, index });
        const hiddenUrl = hidden?.url === undefined ? undefined : await library.resolve(site.id, hidden.url);
        return {
          pin: post,
          position,
          hide: hidden && { ...hidden, ...(hiddenUrl !== undefined && { url: hiddenUrl }) },
          onSection: on_section,
          onTag: on_tag,
          from: at(from),
          until: at(until),
        };
      },
    ),
  );
  return putSet(site.rules ?? [], { name: wish.name, always: wish.always, rules });
}

async function canonicalPost(
  library: Deps['library'],
  { id }: Site,
  { url: given, index }: { url: string; index: number },
): Promise<string> {
  const canonical = await library.resolve(id, given);
  if ((await library.cards(id, [canonical])).length > 0) return canonical;
  throw new RuleSetError(
    `Rule ${index + 1} pins ${given}, which is no post of ${id} that is known: posts are known once their page was viewed or their metadata came.`,
    `rules.${index}.pin`,
  );
}
