// What creates a set of rules of editors, by the endpoint or by a command: the kinds of values, and what they
// mean on a site. The rules for rules are in rules/ruleSet.ts, whose sentences name the rule.
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { HIDDEN_BY, LAST_PIN, MOST_RULES, NO_RULES } from '../contract/rules.ts';
import { refuseInput } from '../inputError.ts';
import { isListed, type PostCard } from '../posts/post.ts';
import type { RuleSetInput } from '../rules/ruleSet.ts';
import type { Site, SiteId } from '../sites/site.ts';
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

export const RULE_SET_INPUT = z.strictObject(
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

type Input = z.output<typeof RULE_SET_INPUT>;

const noPost = (site: SiteId, page: PostCard | undefined): string =>
  page === undefined
    ? `no post of ${site} that is known: posts are known once their page was viewed or their metadata came.`
    : page.pageType === 'post'
      ? 'a post whose page is gone: no list shows it until its page is there again.'
      : 'a page that is no post: related lists show posts alone.';

/**
 * What the input means on a site: its URLs, which may be any address of a post, are canonical, its dates instants.
 * @throws {InputError} for the first pin of a post that is not known; pins that the site has already stay.
 */
export async function resolveRuleSet(
  { library }: Pick<Deps, 'library'>,
  { id, timezone, rules: existing = [] }: Site,
  { input, now }: { input: Input; now: number },
): Promise<RuleSetInput> {
  const at = (written: string | undefined) => {
    const parsed = written === undefined ? undefined : parseMoment(written);
    return parsed && instantFor(parsed, 'start', { now, zone: timezone });
  };
  const pinned = new Set(existing.flatMap(({ rules }) => rules.flatMap((one) => ('pin' in one ? one.pin : []))));
  const canonical = async (url: string | undefined) => (url === undefined ? undefined : await library.resolve(id, url));
  const rules = await Promise.all(
    input.rules.map(async ({ pin, position, hide: hidden, on_section, on_tag, from, until }, index) => {
      const post = await canonical(pin);
      if (post !== undefined && !pinned.has(post)) {
        const [page] = await library.cards(id, [post]);
        if (page === undefined || !isListed(page))
          refuseInput(`Rule ${index + 1} pins ${pin}, which is ${noPost(id, page)}`, `rules.${index}.pin`, 'stored');
      }
      const url = await canonical(hidden?.url);
      const conditions = { onSection: on_section, onTag: on_tag, from: at(from), until: at(until) };
      return { pin: post, position, hide: hidden && { ...hidden, ...(url !== undefined && { url }) }, ...conditions };
    }),
  );
  return { name: input.name, always: input.always, rules };
}
