// The experiment that runs on the paper's articles: another heading above what to read next.
import { DAY } from '../server/durations.ts';
import { createExperiment, type Experiment } from '../server/experiments/experiment.ts';
import type { SiteDirectory } from '../server/sites/directory.ts';
import type { SiteId } from '../server/sites/site.ts';

const NAME = 'heading';
/** Before the first start of the demo. */
const RUNS_FOR = 9 * DAY;

/** @param anchor First start of the demo; epoch milliseconds. */
export const createPaperExperiment = (anchor: number): Experiment =>
  createExperiment(
    {
      name: NAME,
      slot: 'read-next',
      goal: 'clicks',
      variants: [
        { name: 'read-next', share: 50 },
        { name: 'subject', share: 50, heading: 'More on this subject' },
      ],
    },
    [],
    anchor - RUNS_FOR,
  );

/** As the site has it by now. Absent: an earlier version of the demo made the site, or it was archived. */
export const findPaperExperiment = (sites: Pick<SiteDirectory, 'find'>, site: SiteId): Experiment | undefined =>
  sites.find(site)?.experiments?.find(({ name, state }) => name === NAME && state !== 'archived');

/** Begun when the site is made: readers of the month before are part of it. */
export async function startPaperExperiment(sites: SiteDirectory, site: SiteId, anchor: number): Promise<void> {
  await sites.change(site, (made) => ({ ...made, experiments: [createPaperExperiment(anchor)] }));
}
