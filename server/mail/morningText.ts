// A morning page as plain text.
import { counted, inWholeDigits } from '../counted.ts';
import type { MorningPage } from '../rankings/morningPage.ts';
import { oneLine } from './mail.ts';

type Figure = MorningPage['figures'][number];

export const FIGURE_NAMES: Readonly<Record<Figure['name'], string>> = {
  views: 'Views',
  visitors: 'Visitors',
  engaged_minutes: 'Engaged minutes',
};

/** Headings of its parts. */
export const PARTS = {
  posts: 'Read most',
  sources: 'Where readers came from (all pages, not posts alone)',
  lists: 'Brought by lists',
  changes: 'Changed most',
} as const;

export function toMorningText(page: MorningPage): string {
  return [
    headingOf(page),
    '',
    ...page.figures.map(
      (figure) => `${FIGURE_NAMES[figure.name]}: ${inWholeDigits(figure.value)}${besideUsual(figure)}`,
    ),
    ...part(PARTS.posts, page.posts, (post) => `${inWholeDigits(post.views)}  ${titleOf(post)}`),
    ...part(PARTS.sources, page.sources, sourceLine),
    ...part(PARTS.lists, page.lists, listLine),
    ...part(PARTS.changes, page.changes, changeLine),
  ].join('\n');
}

/** A title may have nothing to be seen. */
export const titleOf = ({ title, url }: Pick<MorningPage['posts'][number], 'title' | 'url'>): string =>
  oneLine(title) || oneLine(url);

export const headingOf = ({ apikey, day }: MorningPage): string => `${apikey}, ${dayName(day)}`;

/** Such as `Monday 2026-11-23`. */
export function dayName(day: string): string {
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  return `${names[new Date(`${day}T00:00:00Z`).getUTCDay()]!} ${day}`;
}

const sourceLine = ({ name, views, usual }: MorningPage['sources'][number]): string =>
  `${oneLine(name) || '(none)'}: ${viewsOf(views)}${usual === null ? '' : `, usual ${inWholeDigits(usual)} (${change(views, usual)})`}`;

export const listName = (name: string): string => oneLine(name) || 'lists without a name';

const listLine = ({ views_caused, ...list }: MorningPage['lists'][number]): string =>
  `${listName(list.name)}: ${viewsOf(views_caused)}, ${clicksOf(list)}`;

export const clicksOf = ({ clicks, seen }: Pick<MorningPage['lists'][number], 'clicks' | 'seen'>): string =>
  `${counted(clicks, 'click')} on ${counted(seen, 'item')} seen`;

const changeName = ({ of, name }: MorningPage['changes'][number]): string => `${of} ${oneLine(name) || '(none)'}`;

const changeLine = (one: MorningPage['changes'][number]): string =>
  `${changeName(one)}: ${viewsOf(one.views)}, usual ${inWholeDigits(one.usual)} (${change(one.views, one.usual)})`;

/** Such as ` (+12%; usual 1,200, middle half 1,100 to 1,340)`. */
function besideUsual({ value, usual, weeks }: Figure): string {
  if (usual === null) return ' (what is usual is not known yet)';
  const { median, low, high } = usual;
  const half = weeks < 2 ? '' : `, middle half ${inWholeDigits(low)} to ${inWholeDigits(high)}`;
  return ` (${change(value, median)}; usual ${inWholeDigits(median)}${half})`;
}

/** Such as `+12%`. */
export function change(value: number, usual: number): string {
  if (usual === 0) return value === 0 ? 'as usual' : 'new';
  const percent = Math.round((value / usual - 1) * 100);
  return `${percent > 0 ? '+' : ''}${inWholeDigits(percent)}%`;
}

export const viewsOf = (value: number): string => counted(value, 'view');

function part<T>(title: string, rows: readonly T[], lineOf: (row: T) => string): string[] {
  return rows.length === 0 ? [] : ['', title, ...rows.map((row) => `  ${lineOf(row)}`)];
}
