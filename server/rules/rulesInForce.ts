// Which rules of a set apply to a list, and what they ask of its ranking. Pure.
import { NO_RULES, type RuleRecord, type RuleSetRecord, type RuleState } from '../contract/rules.ts';
import type { PinnedPost, RecommendFilters } from '../recommend/request.ts';
import { type Rule, type RuleSet, versionOf } from './ruleSet.ts';

/** What the rules ask of a list. */
export interface AppliedRules {
  /** In the order of the set. */
  pins: PinnedPost[];
  /** Canonical URLs of posts that are left out. */
  hidden: string[];
  /** What else is left out, as the filter `exclude` has it. */
  exclude: NonNullable<RecommendFilters['exclude']>[number][];
}

/**
 * The set that applies to a list.
 * @param named Of the request. A name that is unknown is answered as by a site without rules: a page in a cache may
 * name a set that was removed. Default: the set that always applies.
 */
export function setFor(sets: readonly RuleSet[] = [], named?: string): RuleSet | undefined {
  if (named === NO_RULES) return undefined;
  return sets.find(({ name, always }) => (named === undefined ? always : name === named));
}

/** The rules whose time is now. */
export const rulesAt = ({ rules }: RuleSet, now: number): Rule[] =>
  rules.filter((rule) => stateOf(rule, now) === 'in force');

/** Whether any of the rules applies to some pages only, so that the page has to be known. */
export const dependOnPage = (rules: readonly Rule[]): boolean =>
  rules.some(({ onSection, onTag }) => onSection !== undefined || onTag !== undefined);

/** @param page Section and tags of the page on which the list stands; undefined: it is not known, or there is none. */
export function appliedRules(
  page: { section: string; tags: readonly string[] } | undefined,
  rules: readonly Rule[],
): AppliedRules {
  const applied: AppliedRules = { pins: [], hidden: [], exclude: [] };
  for (const rule of rules) {
    if (rule.onSection !== undefined && rule.onSection !== page?.section) continue;
    if (rule.onTag !== undefined && !page?.tags.includes(rule.onTag)) continue;
    if ('pin' in rule) applied.pins.push({ url: rule.pin, position: rule.position });
    else if (rule.hide.by === 'url') applied.hidden.push(rule.hide.value);
    else applied.exclude.push({ meta: METAS[rule.hide.by], value: rule.hide.value });
  }
  return applied;
}

const METAS = { section: 'section', tag: 'tags', author: 'authors' } as const;

function stateOf({ from, until }: Rule, now: number): RuleState {
  if (from !== undefined && now < from) return 'waiting';
  return until !== undefined && now >= until ? 'over' : 'in force';
}

export const toRuleSetRecord = (set: RuleSet, now: number): RuleSetRecord => ({
  name: set.name,
  always: set.always,
  rules: set.rules.map((rule) => toRuleRecord(rule, now)),
  version: versionOf(set),
});

function toRuleRecord(rule: Rule, now: number): RuleRecord {
  const { onSection, onTag, from, until } = rule;
  return {
    ...('pin' in rule ? { pin: rule.pin, position: rule.position } : { hide: { [rule.hide.by]: rule.hide.value } }),
    ...(onSection !== undefined && { on_section: onSection }),
    ...(onTag !== undefined && { on_tag: onTag }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    state: stateOf(rule, now),
  };
}
