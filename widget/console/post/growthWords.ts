// What the growth of a post says, in words.
import type { GrowthRecord } from '../../../server/contract/wire.ts';
import { toFigure } from '../figures.ts';

const spanOf = ({ unit, age }: GrowthRecord): string =>
  unit === 'day' ? `by the end of day ${age}` : age === 1 ? 'after an hour' : `after ${age} hours`;

/** When a row is of, such as `After 3 hours, so far`. */
export function ageOf(row: GrowthRecord): string {
  const span = spanOf(row);
  return `${span[0]!.toUpperCase()}${span.slice(1)}${row.partial ? ', so far' : ''}`;
}

export const viewsOf = ({ views }: GrowthRecord): string => `${toFigure(views)} ${views === 1 ? 'view' : 'views'}`;

export function sentenceOf(row: GrowthRecord): string {
  const { typical } = row;
  const compared = typical
    ? `; a typical post ${toFigure(typical.median)}, the middle half ${toFigure(typical.low)} to ${toFigure(typical.high)}`
    : '';
  return `${ageOf(row)}: ${viewsOf(row)}${compared}`;
}

/**
 * How a post does beside others, by the last age that it has reached: they had the whole of an hour or a day of which
 * it had a part so far.
 * @param rows By age, at least one.
 * @param peers Whose posts the others are.
 */
export function verdictOf(rows: readonly GrowthRecord[], peers: string): string {
  const row = rows.findLast(({ partial }) => !partial) ?? rows[0]!;
  if (!row.typical) return `Too few posts of ${peers} are as old: nothing is typical yet.`;
  if (row.partial) return 'It is not an hour old: nothing is compared yet.';
  const { views, typical } = row;
  const of = `${typical.posts} posts of ${peers}`;
  if (views > typical.high) return `More than three quarters of ${of} had ${spanOf(row)}.`;
  return views < typical.low
    ? `Less than three quarters of ${of} had ${spanOf(row)}.`
    : `As usual for ${of} ${spanOf(row)}.`;
}
