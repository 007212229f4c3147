// Comparison of secrets, signatures and tokens.
import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal, in a time that says nothing of where they differ. Their lengths are no secret. */
export function isTimingSafeEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
