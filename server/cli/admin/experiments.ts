// Experiments of a site as commands add, list and end them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { changeState, createExperiment, type Experiment } from '../../experiments/experiment.ts';
import { toExperimentRecord } from '../../experiments/toExperimentRecord.ts';
import { EXPERIMENT_WISH } from '../../http/experimentWish.ts';
import { requireSite } from './sites.ts';

const ending = z.object({ name: z.string(), to: z.enum(['stopped', 'archived']) });

export function experimentAdmin({ now, sites }: Pick<Deps, 'now' | 'sites'>): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/experiments', (c) => {
    const { experiments = [] } = requireSite(sites, c.req.param('id'));
    return c.json(experiments.map(toExperimentRecord));
  });

  admin.post('/sites/:id/experiments', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { experiments = [] } = site;
    const made = createExperiment(EXPERIMENT_WISH.parse(await c.req.json()), experiments, now());
    await sites.replace({ ...site, experiments: [...experiments, made] });
    return c.json(toExperimentRecord(made));
  });

  admin.patch('/sites/:id/experiments', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { name, to } = ending.parse(await c.req.json());
    const experiments = changeState(site.experiments ?? [], { name, to, now: now() });
    await sites.replace({ ...site, experiments });
    return c.json(experiments.filter((one: Experiment) => one.name === name).map(toExperimentRecord)[0]);
  });

  return admin;
}
