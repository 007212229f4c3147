// What the figures of now say, in words.
import type {
  NowFigure,
  NowFigureName,
  NowRecord,
  NowSource,
  NowSourceName,
  PlaceName,
  UsualRecord,
} from '../../../server/contract/now.ts';
import { FILTERS, type Filters } from '../choice.ts';
import { toFigure } from '../figures.ts';
import { titleOf } from '../panels.ts';
import { zoneHere } from '../periods.ts';

export const LABELS: Record<NowFigureName, string> = {
  visitors: 'Readers',
  views: 'Views a minute',
  engaged_minutes: 'Engaged minutes',
  recirculation_rate: 'Recirculation',
  clicks: 'Clicks in lists',
};

/** What a figure is of. */
export const EXPLAINED: Record<NowFigureName, string> = {
  visitors: 'on posts in the last 5 minutes',
  views: 'of posts, in the last 5 minutes',
  engaged_minutes: 'in the last 5 minutes',
  recirculation_rate: 'views that led on to another page, in the last hour',
  clicks: 'related and top lists, in the last hour',
};

/** Kinds of sources. */
export const KINDS: Record<NowSourceName, string> = {
  search: 'Search engines',
  social: 'Social networks',
  aggregator: 'Aggregators',
  ai: 'Assistants',
  other: 'Other sites',
  internal: 'This site',
  direct: 'Direct',
};

/** Whether readers come from a kind of source now, or usually do. */
export const isOfNow = ({ views, usual }: NowSource): boolean => views > 0 || (usual !== null && usual.high > 0);

export const PLACES: Record<PlaceName, string> = {
  above: 'More than usual',
  within: 'As usual',
  below: 'Less than usual',
};

/** A middle half may be less than a percent wide: 37%, less than the usual 37% to 38%, would say nothing. */
const RECIRCULATION = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Of a figure or of its usual ones. */
export function written({ name, minutes }: Pick<NowFigure, 'name' | 'minutes'>, value: NowFigure['value']): string {
  if (value === null) return '–';
  if (name === 'recirculation_rate') return RECIRCULATION.format(value);
  const shown = name === 'views' ? value / minutes : value;
  // Beyond a hundred, fractions say nothing.
  return toFigure(shown < 100 ? Math.round(shown * 10) / 10 : Math.round(shown));
}

/** Of a figure, such as `usual 300 to 420`; "" where nothing is. */
export const usualOf = (figure: Pick<NowFigure, 'name' | 'minutes' | 'usual'>): string =>
  rangeOf(figure.usual, (value) => written(figure, value));

/** The same of anything that is counted. @param write Writes a value of it. */
export function rangeOf(usual: UsualRecord | null, write: (value: number) => string): string {
  if (usual === null) return '';
  const [low, high] = [write(usual.low), write(usual.high)];
  return low === high ? `usual ${low}` : `usual ${low} to ${high}`;
}

const inZone = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zoneHere(timeZone), ...options });

/** Such as `a Tuesday at 10:15`: the quarter of an hour that an instant is in. */
export function momentOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const weekday = inZone(timeZone, { weekday: 'long' }).format(at);
  // Offsets of zones are multiples of a quarter of an hour.
  return `a ${weekday} at ${clockOf(at - (at % 900_000), timeZone)}`;
}

const clockOf = (instant: number, timeZone: string): string =>
  inZone(timeZone, { hour: '2-digit', minute: '2-digit' }).format(instant);

/** With seconds, of the last answer. */
export const updatedAt = ({ period_end }: NowRecord, timeZone: string): string =>
  inZone(timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(Date.parse(period_end));

export const dayOf = ({ period_end }: NowRecord, timeZone: string): string =>
  inZone(timeZone, { weekday: 'long', day: 'numeric', month: 'long' }).format(Date.parse(period_end));

const NUMBERS = ['none', 'one', 'two', 'three', 'four'];

/** Why nothing is usual; "" where something is. */
export function whyNothing({ weeks, least_weeks, too_few_days }: NowRecord): string {
  if (weeks >= least_weeks) return '';
  if (too_few_days !== null)
    return `Nothing is usual here: it takes ${NUMBERS[least_weeks] ?? least_weeks} weeks, and visits are kept for ${too_few_days} days.`;
  const so =
    weeks === 0 ? 'so far there is none' : `so far there ${weeks === 1 ? 'is' : 'are'} ${NUMBERS[weeks] ?? weeks}`;
  return `Nothing is usual yet: it takes ${NUMBERS[least_weeks] ?? least_weeks} weeks with readers on this weekday, and ${so}.`;
}

/** Says which filters of the address narrow nothing here; "" where there are none. */
export function leftOut(filters: Filters): string {
  const names = FILTERS.filter((name) => name !== 'section' && filters[name] !== undefined);
  if (names.length === 0) return '';
  const [last, ...others] = names.map((name) => titleOf(name).toLowerCase()).reverse();
  if (others.length === 0) return `The filter by ${last} is left out here: Now is narrowed by section alone.`;
  const all = `${others.reverse().join(', ')} and ${last}`;
  return `The filters by ${all} are left out here: Now is narrowed by section alone.`;
}

/** What is announced when it changes, and at no other time. */
export function announced(record: NowRecord, message: string): string {
  if (message !== '') return `The figures are no longer updated. ${message}`;
  const place = record.figures[0]?.place;
  return place ? `Readers: ${PLACES[place].toLowerCase()}.` : '';
}
