// Rules of editors: the sets of a site, a new one, and the end of one. Changes require the write secret.
import { z } from 'zod';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { RULE_SET_WISH, resolveRuleSet } from '../http/ruleWish.ts';
import { send } from '../http/send.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { findSet, putSet, type RuleSet, RuleSetError } from '../rules/ruleSet.ts';
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
    const changed = await (set === undefined
      ? orRefuse('remove', () => removeFrom(parts, site, { name: remove ?? '', dry_run }))
      : orRefuse('set', () => writeTo(parts, site, { wish: set, now, dry_run })));
    // Lists that are cached in memory follow the rules of before.
    if (!dry_run) for (const kept of [parts.lists, parts.lastGood]) kept.forget(site.id);
    return send(c, { data: [toRuleSetRecord(changed, now)], success: true });
  },
});

interface Dry {
  dry_run?: boolean | undefined;
}

async function writeTo(
  { sites, library }: Pick<Parts, 'sites' | 'library'>,
  site: Site,
  { wish, now, dry_run }: Parameters<typeof resolveRuleSet>[2] & Dry,
): Promise<RuleSet> {
  const wished = await resolveRuleSet({ library }, site, { wish, now });
  const alter = (current: Site) => ({ ...current, rules: putSet(current.rules ?? [], wished) });
  const { rules } = dry_run ? alter(site) : await sites.change(site.id, alter);
  return findSet(rules ?? [], wish.name);
}

async function removeFrom(
  { sites }: Pick<Parts, 'sites'>,
  site: Site,
  { name, dry_run }: { name: string } & Dry,
): Promise<RuleSet> {
  const removed = findSet(site.rules ?? [], name);
  const alter = (current: Site) => ({ ...current, rules: withoutSet(current, name) });
  if (dry_run) alter(site);
  else await sites.change(site.id, alter);
  return removed;
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
