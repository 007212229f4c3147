// Rules of editors as the console shows and writes them.
import { HIDDEN_BY, type RuleRecord, type RuleSetRecord } from '../../server/contract/rules.ts';
import { type Asked, act, askApi } from './ask.ts';
import { toClock } from './figures.ts';
import type { Session } from './session.ts';

export const RULES = '/v2/rules';

export interface RuleSets {
  data: RuleSetRecord[];
}

export type WrittenRule = Omit<RuleRecord, 'state'>;

/** A set that is made where none applies always. */
const FIRST_SET = 'newsroom';

type Change = (rules: readonly RuleRecord[]) => readonly WrittenRule[];

/**
 * Changes the rules of a set as they are by then: what others have written since the view was opened stays. A set that
 * has no rule left is removed.
 */
export async function changeRules(session: Session, name: string, change: Change): Promise<Asked<RuleSets>> {
  const { body, ...failed } = await askApi<RuleSets>(RULES, []);
  if (body === undefined) return failed;
  const { always = true, rules = [] } = body.data.find((set) => set.name === name) ?? {};
  const written = change(rules).map(({ state: _, ...rule }: Partial<RuleRecord>) => rule);
  if (written.length === 0) return await act(session.token, RULES, { remove: name });
  return await act(session.token, RULES, { set: { name, always, rules: written } });
}

/** Name of the set that applies to every related list; of a new one, where there is none. */
export function nameOfAll(sets: readonly RuleSetRecord[]): string {
  const taken = new Set(sets.map(({ name }) => name));
  const free = (count: number): string => {
    const name = count === 1 ? FIRST_SET : `${FIRST_SET}-${count}`;
    return taken.has(name) ? free(count + 1) : name;
  };
  return sets.find(({ always }) => always)?.name ?? free(1);
}

/** Whether two rules say the same. */
export const isSame = ({ state: _, ...one }: RuleRecord, { state: __, ...other }: RuleRecord): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Where and when a rule applies, by the clock of the site; "" where it always does. */
export const conditionsOf = ({ on_section, on_tag, from, until }: WrittenRule, { timezone }: Session): string =>
  [
    on_section !== undefined && `on pages of section ${on_section}`,
    on_tag !== undefined && `on pages with tag ${on_tag}`,
    from !== undefined && `from ${toClock(from, timezone)}`,
    until !== undefined && `until ${toClock(until, timezone)}`,
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
