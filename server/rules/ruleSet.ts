// The rules of editors as a site has them, and what a new set has to be. Pure.
import { createHash } from 'node:crypto';
import { type HiddenBy, LAST_PIN, MOST_RULE_SETS, MOST_RULES, NO_RULES } from '../contract/rules.ts';
import { NAME_PATTERN, namesOf, refuseInput, shortened } from '../inputError.ts';

interface Conditions {
  /** Section of the pages on which the list stands. Absent: all. */
  onSection?: string | undefined;
  /** A tag of them. Absent: all. */
  onTag?: string | undefined;
  /** Epoch milliseconds, inclusive. */
  from?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  until?: number | undefined;
}

/** A post that stands at a position of the list, from 1. */
export interface Pin extends Conditions {
  /** Canonical URL. */
  pin: string;
  position: number;
}

/** What is left out of the list. */
export interface Hide extends Conditions {
  hide: { by: HiddenBy; value: string };
}

export type Rule = Pin | Hide;

export interface RuleSet {
  /** Unique on its site. */
  name: string;
  /** Whether it applies to every related list that names no other set; one set of a site at most. */
  always: boolean;
  rules: readonly Rule[];
}

/** What creates a rule: exactly one of `pin` and `hide`. */
export interface RuleInput extends Conditions {
  pin?: string | undefined;
  /** Default: 1. */
  position?: number | undefined;
  hide?: { [By in HiddenBy]?: string | undefined } | undefined;
}

export interface RuleSetInput {
  name: string;
  /** Default: false. */
  always?: boolean | undefined;
  rules: readonly RuleInput[];
}

/**
 * The sets of a site after one was added, or replaced where there is one of its name.
 * @throws {InputError} for the first thing that is wrong with the input.
 */
export function putSet(existing: readonly RuleSet[], input: RuleSetInput): RuleSet[] {
  const { name, always = false, rules } = input;
  if (!NAME_PATTERN.test(name) || name === NO_RULES)
    refuseInput(
      `A rule set is named in lower-case letters, digits and hyphens, at most 64, and not ${NO_RULES}: "${shortened(name)}" is no name.`,
      'name',
    );
  if (rules.length > MOST_RULES)
    refuseInput(`A set has at most ${MOST_RULES} rules; this has ${rules.length}.`, 'rules');
  const others = existing.filter((one) => one.name !== name);
  if (others.length >= MOST_RULE_SETS) refuseInput(`A site has at most ${MOST_RULE_SETS} rule sets: remove one first.`);
  const made: RuleSet = { name, always, rules: rules.map(toRule) };
  const other = others.find((one) => one.always);
  if (always && other !== undefined)
    refuseInput(
      `${other.name} applies always, and one set does: write ${other.name} without always first.`,
      'always',
      'stored',
    );
  return [...others, made].sort((one, other) => (one.name < other.name ? -1 : 1));
}

const VERSION_DIGITS = 16;

/** Version of a set for optimistic concurrency control: a hash of its content; `none` where there is no set. */
export const versionOf = (set: RuleSet | undefined): string =>
  set === undefined
    ? NO_RULES
    : createHash('sha256').update(JSON.stringify(set)).digest('hex').slice(0, VERSION_DIGITS);

/** @throws {InputError} where there is no set of this name. */
export function findSet(existing: readonly RuleSet[], name: string): RuleSet {
  const found = existing.find((one) => one.name === name);
  return found ?? refuseInput(`There is no rule set ${shortened(name)}. ${namesOf(existing)}`);
}

function toRule(input: RuleInput, at: number): Rule {
  const its = (field: string) => `rules.${at}.${field}`;
  const of = `Rule ${at + 1}`;
  const { pin, position = 1, hide } = input;
  if ((pin === undefined) === (hide === undefined))
    refuseInput(`${of} either pins a post or hides something.`, `rules.${at}`);
  const conditions = toConditions(of, input, its);
  if (pin === undefined) {
    if (input.position !== undefined) refuseInput(`${of} hides, so it has no position.`, its('position'));
    return { hide: toHidden(of, hide ?? {}, its('hide')), ...conditions };
  }
  if (!Number.isInteger(position) || position < 1 || position > LAST_PIN)
    refuseInput(`${of} pins to a position from 1 to ${LAST_PIN}, not ${position}.`, its('position'));
  return { pin, position, ...conditions };
}

function toHidden(rule: string, hide: NonNullable<RuleInput['hide']>, field: string): Hide['hide'] {
  const said = Object.entries(hide).filter(([, value]) => value !== undefined);
  const [first] = said;
  if (first === undefined || said.length > 1)
    refuseInput(`${rule} hides one of url, section, tag and author; this says ${said.length} of them.`, field);
  const [by, value] = first as [HiddenBy, string];
  return { by, value };
}

function toConditions(rule: string, input: Conditions, fieldOf: (field: string) => string): Conditions {
  const { onSection, onTag, from, until } = input;
  if (from !== undefined && until !== undefined && until <= from)
    refuseInput(`${rule} ends before it begins: give an until after from.`, fieldOf('until'));
  return {
    ...(onSection !== undefined && { onSection }),
    ...(onTag !== undefined && { onTag }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}
