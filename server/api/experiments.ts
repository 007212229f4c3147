// Experiments of a site: those that there are, a new one, and the end of one. Changes require the write secret.
import { z } from 'zod';
import { changeState, createExperiment, type Experiment, ExperimentError } from '../experiments/experiment.ts';
import { toExperimentRecord } from '../experiments/toExperimentRecord.ts';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { EXPERIMENT_WISH } from '../http/experimentWish.ts';
import { detailOf } from '../http/lists.ts';
import { flag } from '../http/params.ts';
import { send } from '../http/send.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';

const MAX_BODY_BYTES = 64 * 1024;

const list = endpoint({
  summary: 'The experiments of a site, in the order they were started.',
  record: 'Experiment',
  params: z.object({ archived: flag('1 also lists the archived ones.').optional() }),
  async answer(ask, parts) {
    const { experiments = [] } = ask.site;
    const shown = experiments.filter(({ state }) => ask.params.archived === true || state !== 'archived');
    return detailOf(parts, ask, { data: shown.map(toExperimentRecord), metrics: [], sort: 'started' });
  },
});

/** The guard reads the keys, which may also be in the query. */
const key = (description: string) => z.unknown().meta({ type: 'string', description }).optional();
const name = (description: string) => z.string('Give the name of an experiment.').meta({ description }).optional();

const CHANGES = ['add', 'stop', 'archive'] as const;
const ONE = `Give one of ${CHANGES.join(', ')}.`;

const BODY = z
  .object({
    apikey: key('Site ID.'),
    secret: key('The write secret.'),
    add: EXPERIMENT_WISH.meta({ description: 'An experiment that starts now.' }).optional(),
    stop: name('Name of the experiment that ends: all readers get the control.'),
    archive: name('Name of a stopped experiment that is no longer listed.'),
  })
  .meta({ required: ['apikey', 'secret'] });

type Change = z.output<typeof BODY>;

const NONE = z.object({});

const change = endpoint({
  summary: 'Starts an experiment, stops one, or archives a stopped one: one of add, stop and archive.',
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
    },
  },
  async answer({ site, body, now, c }, { sites }) {
    if (CHANGES.filter((one) => body[one] !== undefined).length !== 1)
      throw new BadParameters(Object.fromEntries(CHANGES.map((one) => [one, [ONE]])));
    const experiments = changed(site.experiments ?? [], body, now);
    await sites.replace({ ...site, experiments });
    const said = body.add?.name ?? body.stop ?? body.archive;
    const data = experiments.filter((one) => one.name === said).map(toExperimentRecord);
    return send(c, { data, success: true });
  },
});

/** @throws {BadParameters} */
function changed(experiments: readonly Experiment[], { add, stop, archive }: Change, now: number): Experiment[] {
  try {
    if (add !== undefined) return [...experiments, createExperiment(add, experiments, now)];
    if (stop !== undefined) return changeState(experiments, { name: stop, to: 'stopped', now });
    return changeState(experiments, { name: archive ?? '', to: 'archived', now });
  } catch (error) {
    if (!(error instanceof ExperimentError)) throw error;
    const field = add !== undefined ? 'add' : stop !== undefined ? 'stop' : 'archive';
    throw new BadParameters({ [field]: [error.message] });
  }
}

export const experiments = { list, change };
