// Experiments of a site as commands add, list, show and end them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { archiveOne, createExperiment, findExperiment, restoreOne } from '../../experiments/experiment.ts';
import { toExperimentRecord } from '../../experiments/toExperimentRecord.ts';
import { EXPERIMENT_INPUT } from '../../http/experimentInput.ts';
import { resultOf, stopExperiment } from '../../rankings/experimentResults.ts';
import { requireRuleSets } from '../../rules/variantRules.ts';
import { requireSite } from './sites.ts';

const ending = z.object({ name: z.string(), to: z.enum(['stopped', 'archived', 'restored']) });

export function experimentAdmin({ now, sites, store }: Pick<Deps, 'now' | 'sites' | 'store'>): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/experiments', (c) => {
    const { experiments = [] } = requireSite(sites, c.req.param('id'));
    return c.json(experiments.map(toExperimentRecord));
  });

  admin.get('/sites/:id/experiments/:name', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const one = findExperiment(site.experiments ?? [], c.req.param('name'));
    return c.json({ ...toExperimentRecord(one), result: await resultOf(store.traffic, site, one, now()) });
  });

  admin.post('/sites/:id/experiments', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const input = EXPERIMENT_INPUT.parse(await c.req.json());
    const { experiments = [] } = await sites.change(site.id, (current) => {
      const { experiments: before = [], rules } = current;
      requireRuleSets(input, rules);
      return { ...current, experiments: [...before, createExperiment(input, before, now())] };
    });
    return c.json(toExperimentRecord(findExperiment(experiments, input.name)));
  });

  admin.patch('/sites/:id/experiments', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { name, to } = ending.parse(await c.req.json());
    if (to === 'stopped')
      return c.json(toExperimentRecord(await stopExperiment({ sites, store }, { id: site.id, name, now: now() })));
    const change = to === 'archived' ? archiveOne : restoreOne;
    const { experiments = [] } = await sites.change(site.id, (current) => ({
      ...current,
      experiments: change(current.experiments ?? [], name),
    }));
    return c.json(toExperimentRecord(findExperiment(experiments, name)));
  });

  return admin;
}
