// Rules of editors as commands write, list and remove them.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import { RULE_SET_INPUT, resolveRuleSet } from '../../http/ruleSetInput.ts';
import { findSet, putSet } from '../../rules/ruleSet.ts';
import { toRuleSetRecord } from '../../rules/rulesInForce.ts';
import { withoutSet } from '../../rules/variantRules.ts';
import { requireSite } from './sites.ts';

/** A server that runs shows a change in lists that it has in memory within a minute. */
export function ruleAdmin({ now, sites, library }: Pick<Deps, 'now' | 'sites' | 'library'>): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/rules', (c) => {
    const { rules = [] } = requireSite(sites, c.req.param('id'));
    return c.json(rules.map((set) => toRuleSetRecord(set, now())));
  });

  admin.get('/sites/:id/rules/:name', (c) => {
    const { rules = [] } = requireSite(sites, c.req.param('id'));
    return c.json(toRuleSetRecord(findSet(rules, c.req.param('name')), now()));
  });

  admin.post('/sites/:id/rules', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const input = RULE_SET_INPUT.parse(await c.req.json());
    const resolved = await resolveRuleSet({ library }, site, { input, now: now() });
    const { rules = [] } = await sites.change(site.id, (current) => ({
      ...current,
      rules: putSet(current.rules ?? [], resolved),
    }));
    return c.json(toRuleSetRecord(findSet(rules, input.name), now()));
  });

  admin.delete('/sites/:id/rules/:name', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const name = c.req.param('name');
    const removed = findSet(site.rules ?? [], name);
    await sites.change(site.id, (current) => ({ ...current, rules: withoutSet(current, name) }));
    return c.json(toRuleSetRecord(removed, now()));
  });

  return admin;
}
