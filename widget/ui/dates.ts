// Dates in the reader's words, once there is time: the first formatter on a page costs 30–65 ms.

/** Resolves to a formatter when the page is idle. Never rejects. */
export async function formatDates(slot: HTMLElement): Promise<(date: string) => string> {
  await new Promise<unknown>((resolve) => (window.requestIdleCallback || setTimeout)(resolve));
  const language = slot.closest<HTMLElement>('[lang]')?.lang;
  return (date) => {
    try {
      return new Date(`${date.slice(0, 19)}Z`).toLocaleDateString(language || undefined, { dateStyle: 'medium' });
    } catch {
      // A language tag or a date that is none.
      return date.slice(0, 10);
    }
  };
}
