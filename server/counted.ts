// Numbers in English texts: `1,200`, and a number of things: `1 view`, `1,200 views`.

/** With commas between thousands, and three decimals at most. */
export const inDigits = (value: number): string => value.toLocaleString('en');

/** As `inDigits`, of a number that is rounded: one that rounds to nothing has no sign. */
export const inWholeDigits = (value: number): string => inDigits(Math.round(value) || 0);

/** A noun in its singular for one, else with an s. */
export const nounFor = (value: number, singular: string): string => (value === 1 ? singular : `${singular}s`);

/** The number is rounded. */
export function counted(value: number, singular: string): string {
  return `${inWholeDigits(value)} ${nounFor(Math.round(value), singular)}`;
}
