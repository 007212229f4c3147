// Rules of editors: the sets of a site, a new one, and the end of one. Changes require the write secret.
import { z } from 'zod';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { RULE_SET_WISH, resolveRuleSet } from '../http/ruleWish.ts';
import { send } from '../http/send.ts';
import { changeSite, orBadParameters } from '../http/siteChange.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { findSet, putSet } from '../rules/ruleSet.ts';
import { toRuleSetRecord } from '../rules/rulesInForce.ts';
import { withoutSet } from '../rules/variantRules.ts';
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

const ONE = 'Give one of set, remove.';

const change = endpoint({
  summary: 'Writes a set of rules of editors, in place of the one of its name, or removes one: one of set and remove.',
  params: z.object({}),
  body: {
    schema: z
      .object({
        ...KEYS,
        set: RULE_SET_WISH.meta({ description: 'The whole set.' }).optional(),
        remove: z.string('Give the name of a set.').meta({ description: 'Name of the set to remove.' }).optional(),
        ...DRY_RUN,
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
    const changed = await (set === undefined
      ? orBadParameters('remove', async () => {
          const name = remove ?? '';
          const alter = (current: Site) => ({ ...current, rules: withoutSet(current, name) });
          const removed = findSet(site.rules ?? [], name);
          await changeSite(parts, site, { alter, dry_run });
          return removed;
        })
      : orBadParameters('set', async () => {
          const wish = await resolveRuleSet(parts, site, { wish: set, now });
          const alter = (current: Site) => ({ ...current, rules: putSet(current.rules ?? [], wish) });
          const { rules = [] } = await changeSite(parts, site, { alter, dry_run });
          return findSet(rules, set.name);
        }));
    // Lists that are cached in memory follow the rules of before.
    if (!dry_run) for (const kept of [parts.lists, parts.lastGood]) kept.forget(site.id);
    return send(c, { data: [toRuleSetRecord(changed, now)], success: true });
  },
});

export const rules = { list, change };
