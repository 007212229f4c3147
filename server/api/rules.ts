// Rules of editors: the sets of a site, a new one, and the end of one. Changes require the write secret.
import { z } from 'zod';
import { at } from '../at.ts';
import { NO_RULES } from '../contract/rules.ts';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { RULE_SET_INPUT, resolveRuleSet } from '../http/ruleSetInput.ts';
import { send } from '../http/send.ts';
import { changeSite, orBadParameters } from '../http/siteChange.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { findSet, putSet, type RuleSet, versionOf } from '../rules/ruleSet.ts';
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
        set: RULE_SET_INPUT.meta({ description: 'The whole set.' }).optional(),
        remove: z.string('Give the name of a set.').meta({ description: 'Name of the set to remove.' }).optional(),
        version: z
          .string('Give the version of a set.')
          .meta({
            description: `Of the set as it was read; ${NO_RULES}: there was no set of its name. One that has changed since is not written. Default: any.`,
          })
          .optional(),
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
    const { set, remove, version, dry_run } = body;
    if ((set === undefined) === (remove === undefined)) throw new BadParameters({ set: [ONE], remove: [ONE] });
    const changed = await (set === undefined
      ? orBadParameters('remove', async () => {
          const name = remove ?? '';
          const removed: RuleSet[] = [];
          const alter = (current: Site) => {
            requireVersion(current, name, version);
            removed.push(findSet(current.rules ?? [], name));
            return { ...current, rules: withoutSet(current, name) };
          };
          await changeSite(parts, site, { alter, dry_run });
          return at(removed, 0);
        })
      : orBadParameters('set', async () => {
          const input = await resolveRuleSet(parts, site, { input: set, now });
          const alter = (current: Site) => {
            requireVersion(current, set.name, version);
            return { ...current, rules: putSet(current.rules ?? [], input) };
          };
          const { rules = [] } = await changeSite(parts, site, { alter, dry_run });
          return findSet(rules, set.name);
        }));
    // Lists that are cached in memory follow the rules of before.
    if (!dry_run) for (const kept of [parts.lists, parts.lastGood]) kept.forget(site.id);
    return send(c, { data: [toRuleSetRecord(changed, now)], success: true });
  },
});

/**
 * Optimistic concurrency control: a set is written as a whole, and one that was made of an older version would revert
 * what others have changed since.
 * @throws {BadParameters} where the set has changed.
 */
function requireVersion({ rules = [] }: Site, name: string, version: string | undefined): void {
  if (version === undefined || version === versionOf(rules.find((set) => set.name === name))) return;
  throw new BadParameters({ version: [`The rule set ${name} has changed since it was read: read it again first.`] });
}

export const rules = { list, change };
