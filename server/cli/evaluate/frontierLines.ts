// The frontier between page and readers as lines of a terminal: a table, a picture, and what is recommended and why.
import type { Frontier } from '../../evaluation/frontier.ts';
import type { FrontierPoint } from '../../evaluation/frontierTally.ts';
import { recommendation } from '../../evaluation/recommendation.ts';
import { table } from '../table.ts';

export function frontierLines(frontier: Frontier, site = '<site-id>'): string[] {
  const { points, page, recommended } = frontier;
  const linked = points.some(({ links }) => links !== undefined);
  const share = (value: number) => value.toFixed(3);
  const rows = points.map((one) => [
    `${one.mix}${one.mix === recommended ? ' *' : ''}`,
    ...(linked ? [share(one.links ?? 0)] : []),
    ...[one.kept, one.hitRate, one.reciprocal, one.coverage, one.shown].map(share),
    one.age.toFixed(1),
    share(one.diversity),
    one.p50.toFixed(2),
    one.p99.toFixed(2),
  ]);
  const headings = ['KEPT', 'HR@20', 'MRR@20', 'FULL', 'SHOWN', 'DAYS', 'DIVERSE', 'P50 MS', 'P99 MS'];
  return [
    `Page and readers, judged on ${points[0]?.questions ?? 0} next reads of the second half of the log:`,
    '',
    ...table(['MIX', ...(linked ? ['LINKS'] : []), ...headings], rows),
    '',
    ...(linked ? ['LINKS    nDCG@10 of the links that belong below the page'] : []),
    'KEPT     share of the ten posts of the page alone that are still among ten',
    'HR, MRR  of the post that was read next, among twenty',
    'FULL     share of lists with ten posts; SHOWN: share of all posts ever among ten',
    'DAYS     median age of posts; DIVERSE: pairs of ten without section, author or tag in common',
    '',
    ...picture(points, page, recommended),
    '',
    ...recommendation(frontier),
    `Nothing was changed. To set it: afterword site change ${site} --mix ${recommended}`,
  ];
}

const WIDTH = 56;
const HEIGHT = 10;

/** A point for each setting: what is kept of the page to the right, the next read upwards. */
function picture(points: readonly FrontierPoint[], page: Frontier['page'], recommended: number): string[] {
  const xs = points.map((point) => point[page] ?? 0);
  const ys = points.map(({ reciprocal }) => reciprocal);
  const rows = Array.from({ length: HEIGHT + 1 }, () => Array.from({ length: WIDTH + 4 }, () => ' '));
  const place = (value: number, all: readonly number[], room: number) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return high > low ? Math.round(((value - low) / (high - low)) * room) : 0;
  };
  for (const [at, { mix }] of points.entries()) {
    const row = rows[HEIGHT - place(ys[at]!, ys, HEIGHT)]!;
    const label = mix === recommended ? `*${mix}` : `${mix}`;
    const from = place(xs[at]!, xs, WIDTH);
    for (const [offset, letter] of [...label].entries()) row[from + offset] = letter;
  }
  const named = (value: number) => value.toFixed(3).padStart(6);
  const axis = (row: number) =>
    row === 0 ? named(Math.max(...ys)) : row === HEIGHT ? named(Math.min(...ys)) : '      ';
  const below = `${Math.min(...xs).toFixed(3)}${`${Math.max(...xs).toFixed(3)}`.padStart(WIDTH - 1)}`;
  return [
    'MRR@20',
    ...rows.map((row, at) => `${axis(at)} |${row.join('').trimEnd()}`),
    `       +${'-'.repeat(WIDTH + 4)}`,
    `        ${below}  ${page === 'links' ? 'LINKS' : 'KEPT'}`,
  ];
}
