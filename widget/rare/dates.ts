// Dates in the reader's words, once there is time: the first formatter on a page costs 30–65 ms, and each further one some more.

/** Whether a date, `YYYY-MM-DDTHH:MM:SS` in UTC, is a day and no moment: metadata without a time is midnight in UTC. */
export const isDay = (date: string): boolean => date.endsWith('T00:00:00');

/**
 * Resolves to a way to write dates when the page is idle: days as they are, moments in the reader's time zone, this year without the year.
 * Never rejects.
 */
export async function formatDates(slot: HTMLElement): Promise<(date: string) => string> {
  // An element may have that name where the browser has no such function.
  const whenIdle = typeof requestIdleCallback === 'function' ? requestIdleCallback : setTimeout;
  await new Promise<unknown>((resolve) => whenIdle(resolve));
  const language = slot.closest<HTMLElement>('[lang]')?.lang || undefined;
  const formats = new Map<boolean, Intl.DateTimeFormat>();
  return (date) => {
    try {
      // Without a zone it is the reader's.
      const time = new Date(isDay(date) ? date : `${date}Z`);
      const isThisYear = time.getFullYear() === new Date().getFullYear();
      const year = isThisYear ? undefined : 'numeric';
      const format =
        formats.get(isThisYear) ?? new Intl.DateTimeFormat(language, { year, month: 'short', day: 'numeric' });
      formats.set(isThisYear, format);
      return format.format(time);
    } catch {
      // A language tag or a date that is none.
      return date.slice(0, 10);
    }
  };
}
