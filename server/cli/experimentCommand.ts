// `afterword experiment …`: starting, listing, reading and ending experiments of a site's lists.
import { Command, InvalidArgumentError } from 'commander';
import {
  type ExperimentRecord,
  GOALS,
  PLANNED_READERS,
  RANKINGS,
  type VariantRecord,
} from '../contract/experiments.ts';
import type { ExperimentInput, VariantInput } from '../experiments/experiment.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { resultLines, type ShownExperiment } from './experimentLines.ts';
import { PAIRS_PATTERN, parsePairs } from './keyValuePairs.ts';
import { count, print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

type AddFlags = DataFlags & {
  slot: string;
  goal?: ExperimentInput['goal'];
  readers?: number;
  variant: VariantInput[];
};

export function experimentCommand(): Command {
  const experiment = new Command('experiment')
    .summary('compare variants of a list: start, list, read and end experiments')
    .description(
      'Experiments: readers are assigned to variants of a list. ' +
        'These commands work while the server runs, and when it does not.',
    );
  addAddCommand(experiment);
  addListCommand(experiment);
  addShowCommand(experiment);
  addEndCommands(experiment);
  return experiment;
}

function addAddCommand(experiment: Command): void {
  dataCommand(experiment, 'add', 'start an experiment')
    .argument('<site-id>')
    .argument('<name>', 'lower-case letters, digits and hyphens, such as grid-or-list')
    .requiredOption('--slot <name>', 'name of the slot whose list is changed')
    .requiredOption(
      '--variant <words>',
      'name, percent of the readers, and what it changes: "grid 50 layout=grid limit=6 heading=\'Read on\'"; ' +
        `layout, heading, limit, slot, ranking (${RANKINGS.join(', ')}), rules (the name of a set, or none) or list=none; the control first, which changes nothing; repeat it for each`,
      variants,
    )
    .option('--goal <metric>', `what decides: ${GOALS.join(', ')} (clicks when not said)`, goal)
    .option('--readers <n>', `readers after which it ends (${PLANNED_READERS} when not said)`, wholeNumber)
    .action(async (id: string, name: string, { slot, goal, readers, variant, ...flags }: AddFlags) => {
      const input: ExperimentInput = { name, slot, goal, readers, variants: variant };
      const made = await withReach(flags, (reach) => reach.ask<ExperimentRecord>('POST', pathOf(id), input));
      print(flags, made, () => [`Experiment ${made.name} is running.`, ...linesOf(made)]);
    });
}

function addListCommand(experiment: Command): void {
  dataCommand(experiment, 'list', 'list the experiments of a site')
    .argument('<site-id>')
    .option('--archived', 'list the archived ones as well')
    .action(async (id: string, flags: DataFlags & { archived?: boolean }) => {
      const all = await withReach(flags, (reach) => reach.ask<ExperimentRecord[]>('GET', pathOf(id)));
      const shown = all.filter(({ state }) => flags.archived === true || state !== 'archived');
      const rows = shown.map(({ name, slot, goal, state, started, variants: of }) => [
        name,
        slot,
        of.map((one) => `${one.name} ${one.share}`).join(', '),
        goal,
        state,
        started.slice(0, 10),
      ]);
      print(flags, shown, () =>
        rows.length === 0
          ? ['No experiment.']
          : table(['EXPERIMENT', 'SLOT', 'VARIANTS', 'GOAL', 'STATE', 'STARTED'], rows),
      );
    });
}

function addShowCommand(experiment: Command): void {
  dataCommand(experiment, 'show', 'say what is known of an experiment, and what to do')
    .argument('<site-id>')
    .argument('<name>')
    .action(async (id: string, name: string, flags: DataFlags) => {
      const path = `${pathOf(id)}/${encodeURIComponent(name)}`;
      const found = await withReach(flags, (reach) => reach.ask<ShownExperiment>('GET', path));
      print(flags, found, () => resultLines(found));
    });
}

function addEndCommands(experiment: Command): void {
  for (const [word, about, to, done] of [
    ['stop', 'stop an experiment: all readers get the control', 'stopped', 'is stopped: all readers get the control.'],
    ['archive', 'no longer list a stopped experiment', 'archived', 'is archived.'],
    ['restore', 'list an archived experiment again', 'restored', 'is listed again.'],
  ] as const)
    dataCommand(experiment, word, about)
      .argument('<site-id>')
      .argument('<name>')
      .action(async (id: string, name: string, flags: DataFlags) => {
        const ended = await withReach(flags, (reach) => reach.ask<ExperimentRecord>('PATCH', pathOf(id), { name, to }));
        print(flags, ended, () => [`Experiment ${ended.name} ${done}`]);
      });
}

const pathOf = (id: string) => sitePath(id, '/experiments');

function linesOf({ slot, goal, readers, variants: of }: ExperimentRecord): string[] {
  return [
    `slot     ${slot}`,
    `goal     ${goal}`,
    `ends     after ${count(readers, 'reader')}`,
    ...of.map((variant) => `${variant.name}: ${[`${variant.share}%`, ...settingsOf(variant)].join(', ')}`),
  ];
}

const settingsOf = ({ name: _, share: __, ...settings }: VariantRecord): string[] =>
  Object.entries(settings).map(([setting, value]) => `${setting}=${value}`);

const VARIANT = new RegExp(`^\\s*(\\S+)\\s+(\\d{1,3})\\s*%?(${PAIRS_PATTERN})\\s*$`);
const VARIANT_KEYS = ['layout', 'heading', 'limit', 'slot', 'ranking', 'rules', 'list'];

function variants(text: string, earlier: VariantInput[] = []): VariantInput[] {
  const [, name, share, rest = ''] = VARIANT.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError(
      'It takes a name, percent and settings, such as "grid 50 layout=grid heading=\'Read on\'".',
    );
  const settings = parsePairs(rest, VARIANT_KEYS, 'A variant sets');
  return [...earlier, { name, share: Number(share), ...Object.fromEntries(settings) }];
}

function goal(word: string): ExperimentInput['goal'] {
  const found = GOALS.find((one) => one === word);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`It takes one of ${GOALS.join(', ')}.`);
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`--readers takes a whole number, not "${text}".`, 2);
}
