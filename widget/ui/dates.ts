// Dates in the reader's words, once there is time: the first formatter on a page costs 30–65 ms, and each further one some more.
import { ofWindow } from '../attend.ts';
import { isDay } from './records.ts';

export type Format = (date: string) => string;

/** As the machine writes it. */
export const plainDate: Format = (date) => date.slice(0, 10);

/**
 * Resolves to a way to write dates when the page is idle: days as they are, moments in the reader's time zone, this year without the year.
 * Never rejects.
 */
export async function formatDates(slot: HTMLElement): Promise<Format> {
  await new Promise<unknown>((resolve) => (ofWindow<typeof setTimeout>('requestIdleCallback') || setTimeout)(resolve));
  const language = slot.closest<HTMLElement>('[lang]')?.lang || undefined;
  const formats: Record<string, Intl.DateTimeFormat> = {};
  return (date) => {
    try {
      // Without a zone it is the reader's.
      const time = new Date(isDay(date) ? date : `${date}Z`);
      const year = time.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
      formats[`${year}`] ||= new Intl.DateTimeFormat(language, { year, month: 'short', day: 'numeric' });
      return formats[`${year}`]!.format(time);
    } catch {
      // A language tag or a date that is none.
      return plainDate(date);
    }
  };
}
