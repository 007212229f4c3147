// `afterword series`: metrics of a site's posts by minute, hour, day, week or month.
import { type Command, Option } from 'commander';
import type { IntervalMetrics, IntervalRecord } from '../contract/wire.ts';
import { INTERVALS, type Interval } from '../traffic/intervals.ts';
import type { SeriesAnswer } from './admin/series.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { atRight, plain, print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

/** Named as the parameters of /analytics/series, so that one page describes both. */
const PARAMS = [
  ['metrics', '<names>', 'metrics, comma separated; views when left out'],
  ['period_start', '<time>', 'from here on: a date, a time or a look-back such as 7d; 3 days ago when left out'],
  ['period_end', '<time>', 'up to here; a date includes that day; now when left out'],
  ['days', '<number>', 'look-back in days from the end, where no start is given'],
  ['time', '<look-back>', 'look-back such as 90m or 24h, where neither a start nor days are given'],
  ['pub_date_start', '<time>', 'posts published from here on'],
  ['pub_date_end', '<time>', 'posts published up to here; now when left out'],
  ['post', '<url>', 'one post alone'],
  ['referrer', '<name>', 'views from this referrer; direct: from none'],
  ['segment', '<name>', 'views by visitors of this segment'],
  ['channel', '<name>', 'views through this channel'],
  ['device', '<kind>', 'views on devices of this kind: desktop, mobile or tablet'],
  ['campaign_id', '<name>', 'views from this campaign'],
  ['campaign_medium', '<name>', 'views from campaigns with this medium'],
  ['campaign_source', '<name>', 'views from campaigns with this source'],
  ['campaign_content', '<name>', 'views from campaigns with this content'],
  ['campaign_term', '<name>', 'views from campaigns with this term'],
  ['list', '<kind>', 'of metrics of lists: lists of this kind'],
  ['slot', '<name>', 'of metrics of lists: lists in this slot'],
  ['layout', '<name>', 'of metrics of lists: lists of this layout'],
  ['position', '<number>', 'of metrics of lists: items at this position'],
  ['source', '<name>', 'of metrics of lists: items that stand there for this reason'],
  ['experiment', '<name>', 'of metrics of lists: lists of this experiment'],
  ['variant', '<name>', 'of metrics of lists: lists of this variant'],
] as const;

const LISTS = [
  ['author', 'posts written by this author; by all of them when repeated'],
  ['tag', 'posts with this tag; with all of them when repeated'],
  ['section', 'posts in this section; in any of them when repeated'],
] as const;

type SeriesFlags = DataFlags & { csv?: boolean; interval: Interval } & Record<string, unknown>;

export function seriesCommand(program: Command): void {
  const command = dataCommand(program, 'series', 'print metrics of a site by minute, hour, day, week or month')
    .argument('<site-id>')
    .option('--csv', 'print CSV, with a heading')
    .addOption(new Option('--interval <length>', 'length of the intervals').choices(INTERVALS).default('day'))
    .addOption(new Option('--compare <period>', 'adds the period before').choices(['previous']));
  for (const [name, value, about] of PARAMS) command.option(`${toFlag(name)} ${value}`, about);
  for (const [name, about] of LISTS)
    command.option(`${toFlag(name)} <name>`, `${about} (repeatable)`, (one: string, all: string[] = []) => [
      ...all,
      one,
    ]);
  command.action(async (id: string, flags: SeriesFlags) => {
    if (flags.csv && flags.json) throw new CommandError('Give --csv or --json, not both.', 2);
    const path = sitePath(id, `/series?${queryOf(flags)}`);
    const answer = await withReach(flags, (reach) => reach.ask<SeriesAnswer>('GET', path));
    if ('errors' in answer) throw new CommandError(refusalOf(answer.errors), 2);
    const { records, zone } = answer;
    if (flags.csv)
      process.stdout.write(
        csvLines(records)
          .map((line) => `${line}\n`)
          .join(''),
      );
    else print(flags, records, () => shownLines(records, { interval: flags.interval, zone }));
  });
}

const toFlag = (name: string) => `--${name.replaceAll('_', '-')}`;

/** `period_start` as commander names it: `periodStart`. */
const toKey = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function queryOf(flags: SeriesFlags): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['interval', 'compare', ...[...PARAMS, ...LISTS].map(([name]) => name)]) {
    const value = flags[toKey(name)] as string | string[] | undefined;
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, one);
  }
  return query;
}

const refusalOf = (errors: Record<string, string[]>): string =>
  plain(
    Object.entries(errors)
      .map(([name, sentences]) => `${toFlag(name)}: ${sentences.join(' ')}`)
      .join(' '),
  );

/** Times and numbers only: no cell begins as a formula does. */
function csvLines(records: readonly IntervalRecord[]): string[] {
  const names = namesOf(records);
  const columns = ['start', 'partial', ...names];
  const withPrevious = records.some(({ previous }) => previous !== undefined);
  const cells = ({ start, partial, metrics }: IntervalMetrics) => [
    start,
    partial,
    ...names.map((name) => metrics[name]),
  ];
  return [
    [...columns, ...(withPrevious ? columns.map((name) => `previous_${name}`) : [])].join(','),
    ...records.map((record) => [...cells(record), ...(record.previous ? cells(record.previous) : [])].join(',')),
  ];
}

const namesOf = ([first]: readonly IntervalRecord[]): string[] => Object.keys(first?.metrics ?? {});

function shownLines(records: readonly IntervalRecord[], { interval, zone }: { interval: Interval; zone: string }) {
  const [first, ...others] = namesOf(records);
  if (first === undefined) return ['The period is empty.'];
  const most = Math.max(
    ...records.flatMap(({ metrics, previous }) => [metrics[first]!, previous?.metrics[first] ?? 0]),
  );
  const columns = [first, ...others].flatMap((name) => columnsOf(name, records));
  const rows = records.map((record, row) => [
    `${shownStart(record, interval)}${record.partial ? ' *' : ''}`,
    ...columns.map(({ cells }) => cells[row]!),
    bar(record.metrics[first]!, most),
  ]);
  const lines = table([`${interval.toUpperCase()} (${zone})`, ...columns.map(({ heading }) => heading), ''], rows);
  const isPartial = records.some(({ partial }) => partial);
  return isPartial ? [...lines, '* It is not over yet, or the period begins or ends within it.'] : lines;
}

/** A metric, and beside it what it was before; numbers end in one column. */
function columnsOf(name: string, records: readonly IntervalRecord[]): { heading: string; cells: string[] }[] {
  const shown = (value: number | undefined) => (value === undefined ? '' : value.toLocaleString('en-US', DECIMALS));
  const now = { heading: name.toUpperCase(), cells: records.map(({ metrics }) => shown(metrics[name])) };
  const before = { heading: 'BEFORE', cells: records.map(({ previous }) => shown(previous?.metrics[name])) };
  const change = {
    heading: 'CHANGE',
    cells: records.map(({ metrics, previous }) => changeOf(metrics[name]!, previous?.metrics[name])),
  };
  const columns = records.some(({ previous }) => previous !== undefined) ? [now, before, change] : [now];
  return columns.map(({ heading, cells }) => {
    const [top, ...numbers] = atRight([heading, ...cells]);
    return { heading: top!, cells: numbers };
  });
}

const DECIMALS = { maximumFractionDigits: 3 };

function changeOf(value: number, before: number | undefined): string {
  if (before === undefined || before === 0) return '-';
  const percent = Math.round((value / before - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/** A day by its date; what is shorter with the clock, and its offset where clocks change. */
function shownStart({ start }: IntervalMetrics, interval: Interval): string {
  const day = start.slice(0, 10);
  return interval === 'hour' || interval === 'minute' ? `${day} ${start.slice(11, 16)} ${start.slice(19)}` : day;
}

const BAR = 30;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function bar(value: number, most: number): string {
  const eighths = most === 0 ? 0 : Math.round((value / most) * BAR * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
