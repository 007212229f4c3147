// A morning page as the body of a mail: yesterday's figures beside usual ones, what was read most, where readers came
// from, what lists brought, what changed most.
import { LEAST_WEEKS } from '../alarms/curve.ts';
import { inWholeDigits } from '../counted.ts';
import type { MorningPage } from '../rankings/morningPage.ts';
import { background, button, ink, link, muted, named, part, row, table, text } from './layout.ts';
import { oneLine } from './mail.ts';
import { change, clicksOf, dayName, FIGURE_NAMES, listName, PARTS, titleOf } from './morningText.ts';

type Figure = MorningPage['figures'][number];

/** @param console Address of the console, or undefined where it is not known: nothing links there then. */
export function toMorningBody(page: MorningPage, console: string | undefined): string {
  return [
    ...page.figures.map(figureBlock),
    part(
      PARTS.posts,
      page.posts.map(({ url, title, views }) => row(link(url, titleOf({ title, url })), inWholeDigits(views))),
    ),
    part(
      PARTS.sources,
      page.sources.map(({ name, views, usual }) => {
        const beside = usual === null ? '' : muted(besideUsual(views, usual));
        return row(`${named(oneLine(name) || '(none)')}${beside}`, inWholeDigits(views));
      }),
    ),
    part(
      PARTS.lists,
      page.lists.map(({ name, clicks, seen, views_caused }) =>
        row(`${named(listName(name))}${muted(clicksOf({ clicks, seen }))}`, inWholeDigits(views_caused)),
      ),
    ),
    part(
      PARTS.changes,
      page.changes.map((one) =>
        row(
          `${text(one.of)} ${named(oneLine(one.name) || '(none)')}${muted(`${inWholeDigits(one.views)}, usual ${inWholeDigits(one.usual)}`)}`,
          change(one.views, one.usual),
        ),
      ),
    ),
    console === undefined ? '' : button(console, `Look at ${dayName(page.day)} in the console`),
  ]
    .filter((one) => one !== '')
    .join('\n');
}

const besideUsual = (views: number, usual: number): string =>
  usual === 0 ? 'new' : `${change(views, usual)}, usual ${inWholeDigits(usual)}`;

/** Words for where a figure stands beside the usual one; and beside the middle half, which few weeks do not have. */
function standing({ value, usual, weeks }: Figure): string {
  if (usual === null) return 'what is usual is not known yet';
  const changed = change(value, usual.median);
  if (weeks < LEAST_WEEKS) return changed;
  const place = value > usual.high ? 'more than usual' : value < usual.low ? 'less than usual' : 'as usual';
  return changed === place ? place : `${changed}, ${place}`;
}

function figureBlock(figure: Figure): string {
  const { name, value, usual, weeks } = figure;
  const half =
    usual === null || weeks < 2 ? '' : `, mostly ${inWholeDigits(usual.low)} to ${inWholeDigits(usual.high)}`;
  const beside = usual === null ? '' : `usual ${inWholeDigits(usual.median)}${half}`;
  return `<div style="margin:0 0 18px">${muted(text(FIGURE_NAMES[name]))}
<div ${ink('text', 'font-size:26px;line-height:34px;font-weight:700')}>${inWholeDigits(value)} <span ${ink('muted', 'font-size:14px;font-weight:400')}>${standing(figure)}</span></div>
${usual === null ? '' : `${rangeBar(value, usual)}${muted(beside)}`}</div>`;
}

/** The middle half as a band, the figure as a mark. */
function rangeBar(value: number, { low, high }: { low: number; high: number }): string {
  const most = Math.max(value, high) * 1.08 || 1;
  const at = (count: number) => (count / most) * 100;
  const mark = { from: Math.max(0, at(value) - 0.75), until: Math.min(100, at(value) + 0.75) };
  const ends = [0, at(low), at(high), mark.from, mark.until, 100].sort((one, other) => one - other);
  const cells = ends.slice(1).flatMap((until, index) => {
    const from = ends[index]!;
    if (until - from < 0.01) return [];
    const middle = (from + until) / 2;
    const isMark = middle > mark.from && middle < mark.until;
    const colour = isMark ? 'mark' : middle > at(low) && middle < at(high) ? 'band' : 'track';
    const width = `${(until - from).toFixed(2)}%`;
    return [
      `<td width="${width}" height="8" ${background(colour, `width:${width};height:8px;font-size:0;line-height:0`)}>&nbsp;</td>`,
    ];
  });
  return `<div style="margin:4px 0 6px;border-radius:4px;overflow:hidden">${table(`<tr>${cells.join('')}</tr>`)}</div>`;
}
