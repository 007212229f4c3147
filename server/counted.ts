// Numbers in English texts: `1,200`, and a number of things: `1 view`, `1,200 views`.

/** With commas between thousands, and three decimals at most. */
export const inDigits = (value: number): string => value.toLocaleString('en');

/** A noun in its singular for one, else with an s. */
export const nounFor = (value: number, singular: string): string => (value === 1 ? singular : `${singular}s`);

/** The number is rounded. */
export function counted(value: number, singular: string): string {
  const whole = Math.round(value);
  return `${inDigits(whole)} ${nounFor(whole, singular)}`;
}
