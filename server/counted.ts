// A number of things in English: `1 view`, `1,200 views`.

/** A noun in its singular for one, else with an s. */
export const nounFor = (value: number, singular: string): string => (value === 1 ? singular : `${singular}s`);

/** The number is rounded. */
export function counted(value: number, singular: string): string {
  const whole = Math.round(value);
  return `${whole.toLocaleString('en')} ${nounFor(whole, singular)}`;
}
