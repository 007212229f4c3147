// A morning page as plain text.
import type { MorningPage } from '../rankings/morningPage.ts';

export const FIGURE_NAMES: Readonly<Record<MorningPage['figures'][number]['name'], string>> = {
  views: 'Page views',
  visitors: 'Visitors',
  engaged_minutes: 'Engaged minutes',
};

export function toMorningText(page: MorningPage): string {
  return [
    headingOf(page),
    '',
    ...page.figures.map((figure) => `${FIGURE_NAMES[figure.name]}: ${whole(figure.value)}${besideUsual(figure, page)}`),
    ...part('Read most', page.posts, ({ title, url, views }) => `${whole(views)}  ${title || url}`),
    ...part('Brought by lists', page.lists, listLine),
    ...part('Changed most', page.changes, changeLine),
  ].join('\n');
}

export const headingOf = ({ apikey, day }: MorningPage): string => `${apikey}, ${weekdayOf(day)} ${day}`;

export const listLine = ({ name, clicks, seen, views_caused }: MorningPage['lists'][number]): string =>
  `${name || 'lists without a name'}: ${whole(views_caused)} page views, ${whole(clicks)} clicks on ${whole(seen)} items seen`;

export const changeLine = ({ of, name, views, usual }: MorningPage['changes'][number]): string =>
  `${of} ${name || '(none)'}: ${whole(views)} page views, usual ${whole(usual)} (${change(views, usual)})`;

/** Such as ` (+12 %; usual 1,200, middle half 1,100 to 1,340)`. */
export function besideUsual({ value, usual }: MorningPage['figures'][number], { weeks }: MorningPage): string {
  if (usual === null) return ' (what is usual is not known yet)';
  const { median, low, high } = usual;
  const half = weeks < 2 ? '' : `, middle half ${whole(low)} to ${whole(high)}`;
  return ` (${change(value, median)}; usual ${whole(median)}${half})`;
}

function change(value: number, usual: number): string {
  if (usual === 0) return value === 0 ? 'as usual' : 'new';
  const percent = Math.round((value / usual - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

function part<T>(title: string, rows: readonly T[], lineOf: (row: T) => string): string[] {
  return rows.length === 0 ? [] : ['', title, ...rows.map((row) => `  ${lineOf(row)}`)];
}

function weekdayOf(day: string): string {
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  return names[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
}
