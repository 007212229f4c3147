// Midnight in UTC, where a day of counting ends, and with it the salt that distinguishes readers without an id.
import { until } from './until.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longer than a test that may not run over midnight takes, on a busy machine too. */
const NEAR_MS = 3 * MINUTE_MS;

/** For what a test says of one day alone: it begins after midnight where that is near. */
export async function awayFromMidnight(): Promise<void> {
  const isNear = () => DAY_MS - (Date.now() % DAY_MS) < NEAR_MS;
  await until('midnight is over', () => !isNear(), NEAR_MS + MINUTE_MS);
}
