// The columns of a log of page views: which page, when, and by whom, under the names that published logs give them.
// What `import views` and `evaluate --log` read alike.
import { parseIsoDate } from '../posts/parseIsoDate.ts';

/** Names of the columns in a file; what is not named is looked for under the usual names. */
export interface ViewColumns {
  timeColumn?: string;
  visitorColumn?: string;
  itemColumn?: string;
}

/** The first name is ours. */
const NAMES = {
  date: ['date', 'time', 'timestamp', 'ts', 'datetime', 'click_timestamp', 'event_time'],
  visitor: ['visitor', 'session', 'session_id', 'sessionid', 'user', 'user_id', 'userid', 'uuid'],
  url: ['url', 'post', 'item', 'item_id', 'itemid', 'article', 'article_id', 'click_article_id'],
} as const;

type Ours = keyof typeof NAMES;

type Row = Readonly<Record<string, unknown>>;

/**
 * Finds the three fields of a record.
 * @returns The record with them under our names; everything else is left as it is.
 */
export function createViewReader({ timeColumn, visitorColumn, itemColumn }: ViewColumns): (value: unknown) => unknown {
  const said: Record<Ours, string | undefined> = { date: timeColumn, visitor: visitorColumn, url: itemColumn };
  const fields = Object.entries(NAMES).map(([ours, names]) => [ours, namesOf(said[ours as Ours], names)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const row = value as Row;
    const found = fields.flatMap(([ours, names]) => {
      const name = names.find((one) => isFilled(row[one]));
      return name === undefined ? [] : [[ours, row[name]]];
    });
    return { ...row, ...Object.fromEntries(found) };
  };
}

/** Which names a CSV must have: one of each list. */
export const requiredColumns = ({ timeColumn, itemColumn }: ViewColumns): readonly (readonly string[])[] => [
  namesOf(itemColumn, NAMES.url),
  namesOf(timeColumn, NAMES.date),
];

const namesOf = (said: string | undefined, usual: readonly string[]): readonly string[] =>
  // The headings of a CSV are read in lower case.
  said === undefined ? usual : [said, said.toLowerCase()];

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Seconds since 1970 stay below this until the year 5138. */
const SECONDS_BELOW = 1e11;

/**
 * ISO 8601 (UTC where no zone is named), or seconds or milliseconds since 1970.
 * @returns Epoch milliseconds; undefined for anything else.
 */
export function parseViewTime(date: string | number): number | undefined {
  if (typeof date === 'string' && !/^\d{9,14}(?:\.\d+)?$/.test(date)) return parseIsoDate(date);
  const number = Number(date);
  return number < SECONDS_BELOW ? number * 1000 : number;
}
