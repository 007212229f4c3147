// Experiments of a site: those that there are, what is known of one, a new one, and the end of one. Changes require the
// write secret.
import { z } from 'zod';
import type { ExperimentRecord } from '../contract/experiments.ts';
import {
  archiveOne,
  createExperiment,
  type Experiment,
  findExperiment,
  findRunning,
  restoreOne,
} from '../experiments/experiment.ts';
import { toExperimentRecord } from '../experiments/toExperimentRecord.ts';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { type Ask, endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { EXPERIMENT_INPUT } from '../http/experimentInput.ts';
import { detailOf } from '../http/lists.ts';
import { flag, text } from '../http/params.ts';
import { send } from '../http/send.ts';
import { changeSite, orBadParameters } from '../http/siteChange.ts';
import { resultOf, stopExperiment } from '../rankings/experimentResults.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import { requireRuleSets } from '../rules/variantRules.ts';
import type { Site } from '../sites/site.ts';

const MAX_BODY_BYTES = 64 * 1024;

const list = endpoint({
  summary: 'The experiments of a site, in the order they were started; one of them with its result.',
  record: 'Experiment',
  params: z.object({
    name: text('This experiment alone, with its result; archived or not.').optional(),
    archived: flag('1 also lists the archived ones.').optional(),
  }),
  async answer(ask, parts) {
    const { site, params } = ask;
    const { experiments = [] } = site;
    const shown = experiments.filter(({ state }) => params.archived === true || state !== 'archived');
    const asked = experiments.filter(({ name }) => name === params.name);
    const data = params.name === undefined ? shown.map(toExperimentRecord) : await withResults(parts, asked, ask);
    return detailOf(parts, ask, { data, metrics: [], sort: 'started' });
  },
});

const withResults = (
  { store }: Pick<Parts, 'store'>,
  experiments: readonly Experiment[],
  { site, now }: Pick<Ask<unknown>, 'site' | 'now'>,
): Promise<ExperimentRecord[]> =>
  Promise.all(
    experiments.map(async (one) => ({
      ...toExperimentRecord(one),
      result: await resultOf(store.traffic, site, one, now),
    })),
  );

const name = (description: string) => z.string('Give the name of an experiment.').meta({ description }).optional();

const CHANGES = ['add', 'stop', 'archive', 'restore'] as const;
const ONE = `Give one of ${CHANGES.join(', ')}.`;

const BODY = z
  .object({
    ...KEYS,
    add: EXPERIMENT_INPUT.meta({ description: 'An experiment that starts now.' }).optional(),
    stop: name('Name of the experiment that ends: all readers get the control.'),
    archive: name('Name of a stopped experiment that is no longer listed.'),
    restore: name('Name of an archived experiment that is listed again.'),
    ...DRY_RUN,
  })
  .meta({ required: ['apikey', 'secret'] });

const NONE = z.object({});

const change = endpoint({
  summary:
    'Starts an experiment, stops one, archives a stopped one, or lists it again: one of add, stop, archive and restore.',
  params: NONE,
  body: {
    schema: BODY,
    example: {
      apikey: SITE,
      secret: WRITE_SECRET,
      add: {
        name: 'grid-or-list',
        slot: 'after-article',
        goal: 'clicks',
        variants: [
          { name: 'control', share: 50 },
          { name: 'grid', share: 50, layout: 'grid', limit: 6 },
        ],
      },
    },
    limits: {
      max: MAX_BODY_BYTES,
      sentence: `Send a JSON object with apikey, secret and one of ${CHANGES.join(', ')}.`,
      path: true,
    },
  },
  async answer({ site, body, now, c }, { sites, store }) {
    if (CHANGES.filter((one) => body[one] !== undefined).length !== 1)
      throw new BadParameters(Object.fromEntries(CHANGES.map((one) => [one, [ONE]])));
    const { add, stop, archive, restore, dry_run } = body;
    const answer = (changed: Experiment) => send(c, { data: [toExperimentRecord(changed)], success: true });
    if (stop !== undefined)
      return answer(
        await orBadParameters('stop', async () =>
          dry_run
            ? endedBy(findRunning(site.experiments ?? [], stop), now)
            : stopExperiment({ sites, store }, { id: site.id, name: stop, now }),
        ),
      );
    const alter = (current: Site): Site => {
      const { experiments: existing = [], rules } = current;
      if (add === undefined)
        return {
          ...current,
          experiments: archive === undefined ? restoreOne(existing, restore ?? '') : archiveOne(existing, archive),
        };
      requireRuleSets(add, rules);
      return { ...current, experiments: [...existing, createExperiment(add, existing, now)] };
    };
    const field = add !== undefined ? 'add' : archive !== undefined ? 'archive' : 'restore';
    const { experiments = [] } = await orBadParameters(field, () => changeSite({ sites }, site, { alter, dry_run }));
    return answer(findExperiment(experiments, add?.name ?? archive ?? restore ?? ''));
  },
});

/** As it would be, but for its result, which takes as long to count as to stop it. */
const endedBy = (running: Experiment, now: number): Experiment => ({
  ...running,
  state: 'stopped',
  stoppedAt: now,
  endedBy: 'command',
});

export const experiments = { list, change };
