// Rules of editors as the console shows and writes them.
import { HIDDEN_BY, type RuleRecord, type RuleSetRecord } from '../../server/contract/rules.ts';
import { type Asked, act } from './ask.ts';
import { toMinute } from './figures.ts';
import type { Session } from './session.ts';

export const RULES = '/v2/rules';

export interface RuleSets {
  data: RuleSetRecord[];
}

export type WrittenRule = Omit<RuleRecord, 'state'>;

/** A set that is made where none applies always. */
const FIRST_SET = 'newsroom';

/** Writes the rules of a set, in place of those that it has; a set without rules is removed. */
export const writeRules = (
  { token }: Session,
  set: Pick<RuleSetRecord, 'name' | 'always'>,
  rules: WrittenRule[],
): Promise<Asked<RuleSets>> =>
  rules.length === 0
    ? act(token, RULES, { remove: set.name })
    : act(token, RULES, { set: { name: set.name, always: set.always, rules } });

/** The set that applies to every related list, and its rules without their states. */
export function setOfAll(sets: readonly RuleSetRecord[]): { name: string; always: true; rules: WrittenRule[] } {
  const known = sets.find(({ always }) => always);
  const taken = new Set(sets.map(({ name }) => name));
  const free = (count: number): string => {
    const name = count === 1 ? FIRST_SET : `${FIRST_SET}-${count}`;
    return taken.has(name) ? free(count + 1) : name;
  };
  return { name: known?.name ?? free(1), always: true, rules: known?.rules.map(toWritten) ?? [] };
}

export const toWritten = ({ state: _, ...rule }: RuleRecord): WrittenRule => rule;

/** Where and when a rule applies; "" where it always does. */
export const conditionsOf = ({ on_section, on_tag, from, until }: WrittenRule): string =>
  [
    on_section !== undefined && `on pages of section ${on_section}`,
    on_tag !== undefined && `on pages with tag ${on_tag}`,
    from !== undefined && `from ${toMinute(from)} UTC`,
    until !== undefined && `until ${toMinute(until)} UTC`,
  ]
    .filter((words) => words !== false)
    .join(', ');

/** What a rule leaves out. Undefined: it pins. */
export function hiddenBy({ hide }: WrittenRule): { by: string; value: string } | undefined {
  for (const by of HIDDEN_BY) {
    const value = hide?.[by];
    if (value !== undefined) return { by, value };
  }
  return undefined;
}
