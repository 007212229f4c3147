// Dates in the page's language. The first formatter of a page takes 30 to 65 ms, each further one about 1 ms: American
// English needs none, and other languages get one only when a date is shown and the browser is idle.
import { host, ofWindow } from '../attend.ts';
import { isDay } from './records.ts';

export type Format = (date: string) => string;

const formatters: Record<string, Intl.DateTimeFormat> = {};

export const idle = (): Promise<unknown> =>
  new Promise((resolve) => (ofWindow<typeof setTimeout>('requestIdleCallback') || setTimeout)(resolve));

/** @returns "" for American English. */
export const dateLanguage = (language: string): string => (/^en(-us)?$/i.test(language) ? '' : language);

/**
 * Days as they are, moments in the reader's time zone, this year without the year.
 * @param language As `dateLanguage` says it.
 * @param isIdle There is time to make a formatter; else dates that need one stay as the server writes them.
 */
export const formatIn =
  (language: string, isIdle?: boolean): Format =>
  (date) => {
    // Without a zone it is the reader's.
    const time = new Date(isDay(date) ? date : `${date}Z`);
    // "Wed Mar 04 2026" in every browser; "Invalid Date" has no day.
    const [, month, day, year] = time.toDateString().split(' ');
    const isThisYear = new Date().toDateString().endsWith(year!);
    if (day && !language) return `${month} ${+day}${isThisYear ? '' : `, ${year}`}`;
    try {
      if (isIdle)
        // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
        return (formatters[language + isThisYear] ||= new Intl.DateTimeFormat(language, {
          year: isThisYear ? undefined : 'numeric',
          month: 'short',
          day: 'numeric',
        })).format(time);
    } catch (error) {
      // A language tag or a date that is none.
      host._report(error);
    }
    return date.slice(0, 10);
  };
