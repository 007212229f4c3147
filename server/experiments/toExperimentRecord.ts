// An experiment as the interface and the command line answer it.
import type { ExperimentRecord } from '../contract/experiments.ts';
import type { Experiment } from './experiment.ts';

export const toExperimentRecord = ({
  name,
  slot,
  goal,
  readers,
  state,
  startedAt,
  stoppedAt,
  variants,
}: Experiment): ExperimentRecord => ({
  name,
  slot,
  goal,
  readers,
  state,
  started: new Date(startedAt).toISOString(),
  stopped: stoppedAt === undefined ? null : new Date(stoppedAt).toISOString(),
  variants: variants.map((variant) => ({ ...variant })),
});
