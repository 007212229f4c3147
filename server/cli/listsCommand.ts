// `afterword lists`: what the lists on a site's pages brought.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { inDigits } from '../counted.ts';
import { LIST_GROUPS, LIST_METRICS } from '../traffic/ledger/question.ts';
import type { ListInfo } from './admin/lists.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { atRight, print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

interface ListsFlags extends DataFlags {
  group: string;
  days?: string;
  from?: string;
  to?: string;
  sort?: string;
  limit: string;
  where: [name: string, value: string][];
}

export function addListsCommand(program: Command): void {
  dataCommand(program, 'lists', 'print what the lists on pages brought')
    .description(
      'Prints what the lists on the pages of a site brought: lists shown, items seen, clicks, and the page views and engaged minutes that followed. As GET /v2/lists, which has the same parameters.',
    )
    .argument('<site-id>')
    .addOption(new Option('--group <name>', 'what the figures are listed by').choices(LIST_GROUPS).default('list'))
    .addOption(new Option('--days <number>', 'days before now, or before --to; default: 3').conflicts('from'))
    .option('--from <date>', 'from here on, in the time zone of the site')
    .option('--to <date>', 'up to here; a date includes that day')
    .addOption(new Option('--sort <metric>', 'highest first').choices(LIST_METRICS))
    .option('--limit <number>', 'how many', '20')
    .option('--where <name=value>', 'only these, such as slot=end or section=Sport; repeatable', condition, [])
    .action(async (id: string, flags: ListsFlags) => {
      const asked = { group: flags.group, days: flags.days, sort: flags.sort, limit: flags.limit };
      const query = new URLSearchParams(flags.where);
      for (const [name, value] of Object.entries({ ...asked, period_start: flags.from, period_end: flags.to }))
        if (value !== undefined) query.append(name, value);
      const path = sitePath(id, `/lists?${query}`);
      const found = await withReach(flags, (reach) => reach.ask<ListInfo[]>('GET', path));
      print(flags, found, () =>
        found.length === 0 ? ['Nothing was reported of lists.'] : listLines(flags.group, found),
      );
    });
}

function condition(text: string, before: [string, string][]): [string, string][] {
  const [, name, value] = /^([a-z_]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It takes a name and a value, such as slot=end.');
  return [...before, [name, value]];
}

/** The figures as lines, numbers at the right of their columns; those of a small site fit 80 columns. */
export function listLines(group: string, found: readonly ListInfo[]): string[] {
  const figures = found.map(({ metrics }) => {
    const { lists, seen, clicks, click_rate, click_rate_low, click_rate_high } = metrics;
    const { quality_clicks, views_caused, recirculation = 0, engaged_minutes = 0 } = metrics;
    return {
      SHOWN: whole(lists),
      SEEN: whole(seen),
      CLICKS: whole(clicks),
      'RATE % (95 %)': `${percent(click_rate)} (${percent(click_rate_low)}–${percent(click_rate_high)})`,
      QUALITY: whole(quality_clicks),
      VIEWS: whole(views_caused),
      // Three digits say enough of a share; of a rate, two lists are compared by the last one.
      'OF ALL': `${recirculation < 0.0995 ? percent(recirculation) : (recirculation * 100).toFixed(1)} %`,
      MIN: engaged_minutes < 10 ? engaged_minutes.toFixed(1) : whole(engaged_minutes),
    };
  });
  const columns = Object.keys(figures[0] ?? {}) as (keyof (typeof figures)[0])[];
  const cells = columns.map((heading) => atRight([heading, ...figures.map((one) => one[heading])]));
  const rows = found.map(({ name, title }, row) => [name || '-', ...cells.map((column) => column[row + 1]!), title]);
  return table([group.toUpperCase(), ...cells.map(([heading]) => heading!), ''], rows);
}

const whole = (value: number | undefined): string => (value === undefined ? '-' : inDigits(Math.round(value)));

const percent = (share: number | undefined): string => ((share ?? 0) * 100).toFixed(2);
