// An experiment as a site has it, and the rules for a new one. Pure.
import { LAYOUTS, MOST_POSTS } from '../contract/attributes.ts';
import {
  type Ending,
  type ExperimentResult,
  type Goal,
  MOST_EXPERIMENTS,
  MOST_LISTED,
  MOST_VARIANTS,
  PLANNED_READERS,
  RANKINGS,
  type Ranking,
  type State,
} from '../contract/experiments.ts';
import { NAME_PATTERN, namesOf, refuseInput, shortened } from '../inputError.ts';

/** What a variant changes of the list; what is absent stays as the page has it. */
export interface VariantSettings {
  layout?: (typeof LAYOUTS)[number] | undefined;
  heading?: string | undefined;
  limit?: number | undefined;
  /** Another place on the page: the list is drawn in the slot of this name. */
  slot?: string | undefined;
  ranking?: Ranking | undefined;
  /** Name of the set of rules of editors that applies to the list; `none`: no rules. */
  rules?: string | undefined;
  /** No list is drawn: a holdback, which shows what the list brings. */
  list?: 'none' | undefined;
}

export interface Variant extends VariantSettings {
  name: string;
  /** Percent of the readers. */
  share: number;
}

export interface Experiment {
  /** Unique on its site. It seeds the assignment of readers. */
  name: string;
  /** Name of the slot whose list it changes. */
  slot: string;
  goal: Goal;
  /** Readers after which it ends. */
  readers: number;
  /** The control first. */
  variants: readonly Variant[];
  state: State;
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt?: number | undefined;
  /** Why it ended. Absent: it runs. */
  endedBy?: Ending | undefined;
  /** What was known when it ended: reports of pages are not kept as long. */
  result?: ExperimentResult | undefined;
}

/** What creates a variant: values of any kind under the names that there are. */
export type VariantInput = { name: string; share: number } & {
  [Setting in keyof VariantSettings]?: string | number | undefined;
};

/** What creates an experiment. */
export interface ExperimentInput {
  name: string;
  slot: string;
  /** Default: clicks. */
  goal?: Goal | undefined;
  /** Default: 50,000. */
  readers?: number | undefined;
  variants: readonly VariantInput[];
}

const NO_LIST = ['none'] as const;
const LONGEST_TEXT = 120;
const LONGEST_SLOT = 64;
/** Control characters, and halves of surrogate pairs, which would be stored as U+FFFD. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * @param existing Experiments of the site.
 * @throws {InputError} for the first rule that the input breaks.
 */
export function createExperiment(input: ExperimentInput, existing: readonly Experiment[], now: number): Experiment {
  const { name, slot, goal = 'clicks', readers = PLANNED_READERS } = input;
  requireName('An experiment', name, 'name');
  requireSlot('The experiment', slot, 'slot');
  if (existing.some((one) => one.name === name))
    refuseInput(
      `There is an experiment ${name} already, and readers keep its variants: give another name.`,
      'name',
      'stored',
    );
  if (existing.length >= MOST_EXPERIMENTS)
    refuseInput(`A site has at most ${MOST_EXPERIMENTS} experiments, archived ones included.`);
  requireRoom(existing);
  const variants = input.variants.map(toVariant);
  requireVariants(variants, goal);
  requireOtherSlots(variants, slot);
  const experiment: Experiment = { name, slot, goal, readers, variants, state: 'running', startedAt: now };
  requireFreeSlots(experiment, existing);
  return experiment;
}

/** @throws {InputError} where there is no experiment of this name. */
export function findExperiment(existing: readonly Experiment[], name: string): Experiment {
  const found = existing.find((one) => one.name === name);
  return found ?? refuseInput(`There is no experiment ${shortened(name)}. ${namesOf(existing)}`);
}

/** @throws {InputError} where there is no running experiment of this name. */
export function findRunning(existing: readonly Experiment[], name: string): Experiment {
  const found = findExperiment(existing, name);
  return found.state === 'running' ? found : refuseInput(`The experiment ${name} is ${found.state} already.`);
}

/**
 * The experiments of a site after one of them ended.
 * @throws {InputError} where there is no running experiment of this name.
 */
export function stopOne(
  existing: readonly Experiment[],
  { name, by, now, result }: { name: string; by: Ending; now: number; result: ExperimentResult },
): Experiment[] {
  const found = findRunning(existing, name);
  const stopped: Experiment = { ...found, state: 'stopped', stoppedAt: now, endedBy: by, result };
  return existing.map((one) => (one === found ? stopped : one));
}

/**
 * The experiments of a site after one of them was archived.
 * @throws {InputError} where there is no such experiment, or it is running.
 */
export function archiveOne(existing: readonly Experiment[], name: string): Experiment[] {
  const found = findExperiment(existing, name);
  if (found.state === 'running') refuseInput(`The experiment ${name} is running: stop it first.`);
  return existing.map((one) => (one === found ? { ...found, state: 'archived' } : one));
}

/**
 * The experiments of a site after one of them was taken back from the archive.
 * @throws {InputError} where there is no archived experiment of this name, or as many as a site lists already.
 */
export function restoreOne(existing: readonly Experiment[], name: string): Experiment[] {
  const found = findExperiment(existing, name);
  if (found.state !== 'archived') refuseInput(`The experiment ${name} is ${found.state}, and is listed.`);
  requireRoom(existing);
  return existing.map((one) => (one === found ? { ...found, state: 'stopped' } : one));
}

function requireRoom(existing: readonly Experiment[]): void {
  if (existing.filter(({ state }) => state !== 'archived').length >= MOST_LISTED)
    refuseInput(`A site lists at most ${MOST_LISTED} experiments: archive one that has ended.`);
}

function toVariant({ name, share, ...settings }: VariantInput, at: number): Variant {
  const its = (field: string) => `variants.${at}.${field}`;
  requireName('A variant', name, its('name'));
  const of = `The variant ${name}`;
  if (!Number.isInteger(share) || share < 1 || share > 99)
    refuseInput(`${of} takes a share from 1 to 99 percent, not ${share}.`, its('share'));
  const { layout, heading, limit, slot, ranking, rules, list } = settings;
  if (heading !== undefined) requireText(`${of}: a heading`, heading, { longest: LONGEST_TEXT, field: its('heading') });
  if (slot !== undefined) requireSlot(of, slot, its('slot'));
  return {
    name,
    share,
    ...(layout !== undefined && { layout: requireWord(`${of} takes a layout`, layout, LAYOUTS, its('layout')) }),
    ...(heading !== undefined && { heading: `${heading}` }),
    ...(limit !== undefined && { limit: requireLimit(of, limit, its('limit')) }),
    ...(slot !== undefined && { slot: `${slot}` }),
    ...(ranking !== undefined && { ranking: requireWord(`${of} takes a ranking`, ranking, RANKINGS, its('ranking')) }),
    ...(rules !== undefined && { rules: `${rules}` }),
    ...(list !== undefined && { list: requireWord(`${of} takes a list`, list, NO_LIST, its('list')) }),
  };
}

function requireVariants(variants: readonly Variant[], goal: Goal): void {
  const [control] = variants;
  if (control === undefined || variants.length < 2 || variants.length > MOST_VARIANTS)
    refuseInput(
      `An experiment has 2 to ${MOST_VARIANTS} variants, the control first; this has ${variants.length}.`,
      'variants',
    );
  const twice = variants.find(({ name }, at) => variants.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined)
    refuseInput(`Two variants are named ${twice.name}: give each a name of its own.`, 'variants');
  const whole = variants.reduce((sum, { share }) => sum + share, 0);
  if (whole !== 100) refuseInput(`The shares add up to ${whole}: they have to add up to 100.`, 'variants');
  if (settingsOf(control).length > 0)
    refuseInput(
      `The first variant, ${control.name}, is the control and changes nothing: give ${settingsOf(control).join(', ')} to another one.`,
      'variants.0',
    );
  const holdback = variants.find(({ list }) => list !== undefined);
  if (holdback === undefined) return;
  if (settingsOf(holdback).length > 1)
    refuseInput(`The variant ${holdback.name} has no list, so it takes nothing but list=none.`, 'variants');
  if (goal !== 'views')
    refuseInput(`Nothing is clicked in ${holdback.name}, which has no list: the goal has to be views.`, 'goal');
}

/** A page looks for a place without a list: it would find none, and no reader would ever be in the experiment. */
function requireOtherSlots(variants: readonly Variant[], slot: string): void {
  for (const [at, { name, slot: own }] of variants.entries())
    if (own === slot)
      refuseInput(
        `The variant ${name} names the slot ${slot}, in which the list stands already: give another one, or none.`,
        `variants.${at}.slot`,
      );
}

const settingsOf = ({ name: _, share: __, ...settings }: Variant): string[] => Object.keys(settings);

/** Whether one of the experiments names itself, a slot or a variant so. */
export const hasName = (existing: readonly Experiment[], name: string): boolean =>
  existing.some(
    (one) => one.name === name || slotsOf(one).includes(name) || one.variants.some((of) => of.name === name),
  );

const slotsOf = ({ slot, variants }: Experiment): string[] => [slot, ...variants.flatMap((one) => one.slot ?? [])];

function requireFreeSlots(experiment: Experiment, existing: readonly Experiment[]): void {
  const wanted = new Set(slotsOf(experiment));
  for (const other of existing) {
    const taken = other.state === 'running' ? slotsOf(other).find((slot) => wanted.has(slot)) : undefined;
    if (taken !== undefined)
      refuseInput(
        `The experiment ${other.name} is running in the slot ${taken}: stop it first, or take another slot.`,
        'slot',
        'stored',
      );
  }
}

function requireName(subject: string, name: string, field: string): void {
  if (!NAME_PATTERN.test(name))
    refuseInput(
      `${subject} is named in lower-case letters, digits and hyphens, at most 64, not "${shortened(name)}".`,
      field,
    );
}

function requireSlot(subject: string, slot: string | number, field: string): void {
  requireText(`${subject}: the name of a slot`, slot, { longest: LONGEST_SLOT, field });
}

function requireText(
  subject: string,
  text: string | number,
  { longest, field }: { longest: number; field: string },
): void {
  const value = `${text}`;
  if (value.trim() === '' || value.length > longest || UNPRINTABLE.test(value))
    refuseInput(`${subject} has 1 to ${longest} characters of plain text, not "${shortened(value)}".`, field);
  if (/[<>]/.test(value)) refuseInput(`${subject} is plain text, without markup, not "${shortened(value)}".`, field);
}

function requireWord<W extends string>(rule: string, word: string | number, words: readonly W[], field: string): W {
  const found = words.find((one) => one === word);
  return found ?? refuseInput(`${rule} of ${words.join(', ')}, not "${shortened(`${word}`)}".`, field);
}

function requireLimit(subject: string, limit: string | number, field: string): number {
  const value = Number(limit);
  if (Number.isInteger(value) && value >= 1 && value <= MOST_POSTS) return value;
  return refuseInput(`${subject} takes a limit from 1 to ${MOST_POSTS}, not "${shortened(`${limit}`)}".`, field);
}
