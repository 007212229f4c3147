// Rules of editors: the sets of a site, a new one, and the end of one. Changes require the write secret.
import { z } from 'zod';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { RULE_SET_WISH, withRuleSet } from '../http/ruleWish.ts';
import { send } from '../http/send.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { findSet, type RuleSet, RuleSetError } from '../rules/ruleSet.ts';
import { toRuleSetRecord } from '../rules/rulesInForce.ts';
import { withoutSet } from '../rules/uses.ts';
import type { Site } from '../sites/site.ts';

const MAX_BODY_BYTES = 256 * 1024;

const list = endpoint({
  summary: 'The rules of editors for related lists: all sets of a site, by name.',
  record: 'RuleSet',
  params: z.object({}),
  async answer(ask, parts) {
    const { rules = [] } = ask.site;
    const data = rules.map((set) => toRuleSetRecord(set, ask.now));
    return detailOf(parts, ask, { data, metrics: [], sort: 'name' });
  },
});

/** The guard reads the keys, which may also be in the query. */
const key = (description: string) => z.unknown().meta({ type: 'string', description }).optional();

const ONE = 'Give one of set, remove.';

const change = endpoint({
  summary: 'Writes a set of rules of editors, in place of the one of its name, or removes one: one of set and remove.',
  params: z.object({}),
  body: {
    schema: z
      .object({
        apikey: key('Site ID.'),
        secret: key('The write secret.'),
        set: RULE_SET_WISH.meta({ description: 'The whole set.' }).optional(),
        remove: z.string('Give the name of a set.').meta({ description: 'Name of the set to remove.' }).optional(),
        dry_run: z
          .boolean('Give true or false.')
          .meta({ description: 'true: changes nothing, and answers what would be.' })
          .optional(),
      })
      .meta({ required: ['apikey', 'secret'] }),
    example: {
      apikey: SITE,
      secret: WRITE_SECRET,
      set: {
        name: 'front',
        always: true,
        rules: [{ hide: { section: 'Sponsored' }, on_section: 'World' }],
      },
    },
    limits: {
      max: MAX_BODY_BYTES,
      sentence: 'Send a JSON object with apikey, secret and one of set, remove.',
      path: true,
    },
  },
  async answer({ site, body, now, c }, parts) {
    const { set, remove, dry_run } = body;
    if ((set === undefined) === (remove === undefined)) throw new BadParameters({ set: [ONE], remove: [ONE] });
    const { changed, all } = await (set === undefined
      ? orRefuse('remove', async () => {
          const { removed, rules: all } = withoutSet(site, remove ?? '');
          return { all, changed: removed };
        })
      : orRefuse('set', async () => {
          const all = await withRuleSet(parts, site, { wish: set, now });
          return { all, changed: findSet(all, set.name) };
        }));
    if (!dry_run) await replaceRules(parts, site, all);
    return send(c, { data: [toRuleSetRecord(changed, now)], success: true });
  },
});

/** Lists that are cached in memory follow the rules of before. */
async function replaceRules(
  { sites, lists, lastGood }: Pick<Parts, 'sites' | 'lists' | 'lastGood'>,
  site: Site,
  rules: RuleSet[],
) {
  await sites.replace({ ...site, rules });
  for (const kept of [lists, lastGood]) kept.forget(site.id);
}

/** @throws {BadParameters} under the path of a field, where a set cannot be so. */
async function orRefuse<T>(field: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RuleSetError)) throw error;
    throw new BadParameters({ [error.field === undefined ? field : `${field}.${error.field}`]: [error.message] });
  }
}

export const rules = { list, change };
