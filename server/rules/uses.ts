// Which rule sets the experiments of a site name: those that there are, and those that stay while they run. Pure.
import { NO_RULES } from '../contract/rules.ts';
import { ExperimentError, type WishedExperiment } from '../experiments/experiment.ts';
import type { Site } from '../sites/site.ts';
import { findSet, type RuleSet, RuleSetError } from './ruleSet.ts';

/** @throws {ExperimentError} for the first variant that names a set that is not there. */
export function requireRuleSets({ variants }: Pick<WishedExperiment, 'variants'>, sets: readonly RuleSet[] = []): void {
  for (const [at, { name, rules }] of variants.entries())
    if (rules !== undefined && rules !== NO_RULES && !sets.some((set) => set.name === rules))
      throw new ExperimentError(
        `The variant ${name} takes rules of a set that is there: ${sets.map((set) => set.name).join(', ') || 'there is none yet'}.`,
        `variants.${at}.rules`,
      );
}

/**
 * The sets of a site after one was removed.
 * @throws {RuleSetError} where there is none of this name, and while an experiment runs with it.
 */
export function withoutSet({ rules = [], experiments = [] }: Site, name: string): RuleSet[] {
  const removed = findSet(rules, name);
  const user = experiments.find(
    ({ state, variants }) => state === 'running' && variants.some((variant) => variant.rules === name),
  );
  if (user !== undefined) throw new RuleSetError(`The experiment ${user.name} is running with ${name}: stop it first.`);
  return rules.filter((one) => one !== removed);
}
