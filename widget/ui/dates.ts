// Dates as the machine writes them, until there was time to fetch the part that writes them in words.
import { host } from '../attend.ts';
import type * as Dates from '../rare/dates.ts';

export type Format = (date: string) => string;

export const plainDate: Format = (date) => date.slice(0, 10);

/** Never rejects. */
export const formatDates = (slot: HTMLElement): Promise<Format> =>
  (host._load('dates') as Promise<typeof Dates>).then((part) => part.formatDates(slot)).catch(() => plainDate);
