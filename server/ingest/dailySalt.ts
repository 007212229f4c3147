// The secret that hides addresses: random, another one each day (UTC), and gone with its day.
import { randomBytes } from 'node:crypto';

const DAY_MS = 24 * 3600 * 1000;

/** @returns The salt of the day of `time`, in epoch milliseconds; an older day's is not kept. */
export function createDailySalt(): (time: number) => string {
  let day = Number.NaN;
  let salt = '';
  return (time) => {
    const today = Math.floor(time / DAY_MS);
    if (today !== day) {
      day = today;
      salt = randomBytes(32).toString('hex');
    }
    return salt;
  };
}
