// `afterword rules …`: rules of editors for the related lists of a site.
import { Command, InvalidArgumentError } from 'commander';
import { conditionsOf, HIDDEN_BY, hiddenBy, type RuleRecord, type RuleSetRecord } from '../contract/rules.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { PAIRS_PATTERN, parsePairs, unquote, VALUE_PATTERN } from './keyValuePairs.ts';
import { count, print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

type RuleRecordInput = Omit<RuleRecord, 'state'>;

export function rulesCommand(): Command {
  const rules = new Command('rules')
    .summary('pin posts in related lists, or leave posts out: write, list, show and remove sets of rules')
    .description(
      'Rules of editors for related lists. A set with --always applies to every list; the others to lists that name them, as variants of experiments do. ' +
        'These commands work while the server runs, and when it does not.',
    );

  dataCommand(rules, 'set', 'write a set of rules, in place of the one of its name')
    .argument('<site-id>')
    .argument('<name>', 'lower-case letters, digits and hyphens, such as elections')
    .requiredOption(
      '--rule <words>',
      '"pin <url> position=2" or "hide section Opinion" (or tag, author, url); then, as you like, on-section=World, on-tag=..., from=..., until=2026-12-24T18:00; repeat it for each',
      ruleOf,
    )
    .option('--always', 'it applies to every related list that names no other set')
    .action(
      async (
        id: string,
        name: string,
        { rule, always, ...flags }: DataFlags & { rule: RuleRecordInput[]; always?: true },
      ) => {
        const input = { name, always: always === true, rules: rule };
        const made = await withReach(flags, (reach) => reach.ask<RuleSetRecord>('POST', pathOf(id), input));
        print(flags, made, () => [
          made.always
            ? `The rules ${made.name} apply to every related list of ${id} that names no other set, within a minute.`
            : `The rules ${made.name} apply to related lists of ${id} that name them, within a minute.`,
          ...linesOf(made),
        ]);
      },
    );

  dataCommand(rules, 'list', 'list the sets of a site')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const sets = await withReach(flags, (reach) => reach.ask<RuleSetRecord[]>('GET', pathOf(id)));
      const rows = sets.map(({ name, always, rules: all }) => [
        name,
        always ? 'every related list' : 'lists that name it',
        count(all.length, 'rule'),
        String(all.filter(({ state }) => state === 'in force').length),
      ]);
      print(flags, sets, () =>
        rows.length === 0 ? ['No rules.'] : table(['SET', 'APPLIES TO', 'RULES', 'IN FORCE'], rows),
      );
    });

  dataCommand(rules, 'show', 'show the rules of a set')
    .argument('<site-id>')
    .argument('<name>')
    .action(async (id: string, name: string, flags: DataFlags) => {
      const set = await withReach(flags, (reach) => reach.ask<RuleSetRecord>('GET', pathOf(id, name)));
      print(flags, set, () => linesOf(set));
    });

  dataCommand(rules, 'remove', 'remove a set of rules: lists are as without it')
    .argument('<site-id>')
    .argument('<name>')
    .action(async (id: string, name: string, flags: DataFlags) => {
      const removed = await withReach(flags, (reach) => reach.ask<RuleSetRecord>('DELETE', pathOf(id, name)));
      print(flags, removed, () => [`The rules ${removed.name} are removed.`]);
    });

  return rules;
}

const pathOf = (id: string, name?: string): string =>
  sitePath(id, `/rules${name === undefined ? '' : `/${encodeURIComponent(name)}`}`);

const linesOf = ({ rules }: RuleSetRecord): string[] => rules.map((rule, at) => `${at + 1}. ${sentenceOf(rule)}`);

function sentenceOf(rule: RuleRecord): string {
  const hidden = hiddenBy(rule);
  const does = hidden ? `hides ${hidden.by} ${hidden.value}` : `pins ${rule.pin} to position ${rule.position}`;
  const conditions = conditionsOf(rule, minuteOf);
  return `${does}${conditions === '' ? '' : `, ${conditions}`} (${rule.state})`;
}

const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

const RULE = new RegExp(
  `^\\s*(?:pin\\s+(?<pin>\\S+)|hide\\s+(?<by>\\S+)\\s+(?<value>${VALUE_PATTERN}))(?<rest>${PAIRS_PATTERN})\\s*$`,
);
const CONDITIONS = ['position', 'on-section', 'on-tag', 'from', 'until'];

function ruleOf(text: string, earlier: RuleRecordInput[] = []): RuleRecordInput[] {
  const { pin, by, value = '', rest = '' } = RULE.exec(text)?.groups ?? {};
  if (pin === undefined && !HIDDEN_BY.some((one) => one === by))
    throw new InvalidArgumentError(
      `It takes "pin <url>" or "hide ${HIDDEN_BY.join('|')} <name>", and conditions, such as "pin https://example.com/a position=2 until=2026-12-24".`,
    );
  const said = parsePairs(rest, CONDITIONS, 'A rule takes');
  const { position, ...conditions } = Object.fromEntries(said.map(([name, value]) => [name.replace('-', '_'), value]));
  return [
    ...earlier,
    {
      ...(pin === undefined ? { hide: { [by ?? '']: unquote(value) } } : { pin }),
      ...(position !== undefined && { position: Number(position) }),
      ...conditions,
    },
  ];
}
