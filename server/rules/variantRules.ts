// Rule sets that variants of experiments name: a new experiment names sets that are there, and a set is not removed
// while an experiment runs with it. Pure.
import { NO_RULES } from '../contract/rules.ts';
import type { ExperimentInput } from '../experiments/experiment.ts';
import { refuseInput } from '../inputError.ts';
import type { Site } from '../sites/site.ts';
import { findSet, type RuleSet } from './ruleSet.ts';

/** @throws {InputError} for the first variant that names a set that is not there. */
export function requireRuleSets({ variants }: Pick<ExperimentInput, 'variants'>, sets: readonly RuleSet[] = []): void {
  for (const [at, { name, rules }] of variants.entries())
    if (rules !== undefined && rules !== NO_RULES && !sets.some((set) => set.name === rules))
      refuseInput(
        `The variant ${name} takes rules of a set that is there: ${sets.map((set) => set.name).join(', ') || 'there is none yet'}.`,
        `variants.${at}.rules`,
        'stored',
      );
}

/**
 * The sets of a site after one was removed.
 * @throws {InputError} where there is none of this name, and while an experiment runs with it.
 */
export function withoutSet({ rules = [], experiments = [] }: Site, name: string): RuleSet[] {
  const removed = findSet(rules, name);
  const user = experiments.find(
    ({ state, variants }) => state === 'running' && variants.some((variant) => variant.rules === name),
  );
  if (user !== undefined) refuseInput(`The experiment ${user.name} is running with ${name}: stop it first.`);
  return rules.filter((one) => one !== removed);
}
