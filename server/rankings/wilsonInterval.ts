// The interval that a rate lies in with 95 % probability, by its number of tries.

/** Two-sided 95 % of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval, which stays within 0 and 1 and is right for small numbers as well (E. B. Wilson, 1927).
 * @param tries Of more successes than tries, as where an item was clicked before it was seen, so many as those. 0: from
 *   0 to 1, since nothing is known.
 */
export function wilsonInterval(successes: number, tries: number): { low: number; high: number } {
  const n = Math.max(tries, successes);
  if (n === 0) return { low: 0, high: 1 };
  const rate = successes / n;
  const width = 1 + Z ** 2 / n;
  const middle = rate + Z ** 2 / (2 * n);
  const reach = Z * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2));
  return { low: Math.max(0, (middle - reach) / width), high: Math.min(1, (middle + reach) / width) };
}
