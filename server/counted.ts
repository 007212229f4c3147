// A number of things in English: `1 page view`, `1,200 page views`.

/** @param thing Its singular; the plural has an s. */
export function counted(value: number, thing: string): string {
  const whole = Math.round(value);
  return `${whole.toLocaleString('en')} ${thing}${whole === 1 ? '' : 's'}`;
}
