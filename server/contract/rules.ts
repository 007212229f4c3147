// Rules of editors: posts that are pinned in related lists, and posts that are left out of them.

/** What a rule leaves out: one post, or all with a section, a tag or an author. */
export const HIDDEN_BY = ['url', 'section', 'tag', 'author'] as const;
export type HiddenBy = (typeof HIDDEN_BY)[number];

/** Whether the time of a rule is still to come, is now, or has passed. */
export const RULE_STATES = ['waiting', 'in force', 'over'] as const;
export type RuleState = (typeof RULE_STATES)[number];

export const MOST_RULE_SETS = 20;
/** Of one set. */
export const MOST_RULES = 50;
/** Last position that a post is pinned to, from 1. */
export const LAST_PIN = 10;
/** The value of `rules` in a request that no set applies to. */
export const NO_RULES = 'none';

/** A rule as the interface answers it. */
export interface RuleRecord {
  /** URL of a post that stands at a position of the list. */
  pin?: string | undefined;
  /** From 1. */
  position?: number | undefined;
  /** What is left out of the list. */
  hide?: { [By in HiddenBy]?: string | undefined } | undefined;
  /** Where the list stands: on pages of this section. Absent: on all. */
  on_section?: string | undefined;
  /** Where the list stands: on pages with this tag. Absent: on all. */
  on_tag?: string | undefined;
  /** ISO 8601, UTC. Absent: since always. */
  from?: string | undefined;
  /** ISO 8601, UTC; the rule ends before it. Absent: for ever. */
  until?: string | undefined;
  state: RuleState;
}

export interface RuleSetRecord {
  name: string;
  /** Whether it applies to every related list that names no other set. */
  always: boolean;
  rules: RuleRecord[];
  /** Differs after every change of the set: sent with the next change, it keeps that of another editor. */
  version: string;
}

/**
 * Where and when a rule applies, in words; "" where it always does.
 * @param toTime Writes an instant of `from` and `until`.
 */
export const conditionsOf = (
  { on_section, on_tag, from, until }: Omit<RuleRecord, 'state'>,
  toTime: (iso: string) => string,
): string =>
  [
    ...(on_section === undefined ? [] : [`on pages of section ${on_section}`]),
    ...(on_tag === undefined ? [] : [`on pages with tag ${on_tag}`]),
    ...(from === undefined ? [] : [`from ${toTime(from)}`]),
    ...(until === undefined ? [] : [`until ${toTime(until)}`]),
  ].join(', ');

/** What a rule leaves out. Undefined: it pins. */
export function hiddenBy({ hide }: Pick<RuleRecord, 'hide'>): { by: HiddenBy; value: string } | undefined {
  for (const by of HIDDEN_BY) {
    const value = hide?.[by];
    if (value !== undefined) return { by, value };
  }
  return undefined;
}
