// Rules of editors as the console shows and writes them.
import { NO_RULES, type RuleRecord, type RuleSetRecord } from '../../server/contract/rules.ts';
import { type Asked, act, askApi, ofChange } from './ask.ts';
import type { Session } from './session.ts';

export const RULES = '/v2/rules';

export interface RuleSets {
  data: RuleSetRecord[];
}

export type WrittenRule = Omit<RuleRecord, 'state'>;

/** A set that is made where none applies always. */
const DEFAULT_SET = 'newsroom';

type Change = (rules: readonly RuleRecord[]) => readonly WrittenRule[];

/** Optimistic concurrency control: a set that another editor changed between reading and writing it is read again. */
const ATTEMPTS = 5;

/**
 * Changes the rules of a set as they are stored by then: what others have written since the view was opened stays, and
 * what they write meanwhile. A set that has no rule left is removed.
 */
export async function changeRules(session: Session, name: string, change: Change): Promise<Asked<RuleSets>> {
  for (let attempt = 1; ; attempt++) {
    const changed = await tryChange(session, name, change);
    if (changed.errors?.version === undefined || attempt === ATTEMPTS) return changed;
  }
}

/** A set is written as a whole, and refused where it is not the one that was read. */
async function tryChange(session: Session, name: string, change: Change): Promise<Asked<RuleSets>> {
  const asked = ofChange(await askApi<RuleSets>(RULES, []));
  if (asked.body === undefined) return asked;
  const stored = asked.body.data.find((set) => set.name === name);
  const { always = true, rules = [], version = NO_RULES } = stored ?? {};
  const written = change(rules).map(({ state: _, ...rule }: Partial<RuleRecord>) => rule);
  // Removed already, by a double click for example.
  if (stored === undefined && written.length === 0) return asked;
  if (written.length === 0) return await act(session.token, RULES, { remove: name, version });
  return await act(session.token, RULES, { set: { name, always, rules: written }, version });
}

/** Name of the set that always applies; of a new one, where there is none. */
export function nameOfAlways(sets: readonly RuleSetRecord[]): string {
  const taken = new Set(sets.map(({ name }) => name));
  const free = (count: number): string => {
    const name = count === 1 ? DEFAULT_SET : `${DEFAULT_SET}-${count}`;
    return taken.has(name) ? free(count + 1) : name;
  };
  return sets.find(({ always }) => always)?.name ?? free(1);
}

/** Whether two rules say the same. */
export const isSame = ({ state: _, ...one }: RuleRecord, { state: __, ...other }: RuleRecord): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
