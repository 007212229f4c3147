// Dates in the reader's words, once there is time: the first formatter on a page costs 30–65 ms, and each further one some more.
import { ofWindow } from '../attend.ts';

const OPTIONS = { dateStyle: 'medium' } as const;

/** Resolves to one formatter for the whole list when the page is idle. Never rejects. */
export async function formatDates(slot: HTMLElement): Promise<(date: string) => string> {
  await new Promise<unknown>((resolve) => (ofWindow<typeof setTimeout>('requestIdleCallback') || setTimeout)(resolve));
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    try {
      format ||= new Intl.DateTimeFormat(slot.closest<HTMLElement>('[lang]')?.lang || undefined, OPTIONS);
      return format.format(new Date(`${date.slice(0, 19)}Z`));
    } catch {
      // A language tag or a date that is none.
      return date.slice(0, 10);
    }
  };
}
