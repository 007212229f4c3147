// Repeats work with exponential backoff.
import type { Rests } from './rests.ts';

export interface BackoffOptions {
  rests: Pick<Rests, 'rest' | 'isClosed'>;
  /** First and longest pause, in milliseconds; each is twice the one before. */
  retryMs: readonly [first: number, longest: number];
  /** Called after each failure. */
  onFailure?: () => void;
}

/** Resolves when the work succeeds. @throws what it throws last, when the pauses are closed. */
export async function retryWithBackoff<T>(
  work: () => Promise<T>,
  { rests, retryMs: [first, longest], onFailure }: BackoffOptions,
): Promise<T> {
  for (let pause = first; ; pause = Math.min(pause * 2, longest)) {
    try {
      return await work();
    } catch (error) {
      onFailure?.();
      if (rests.isClosed()) throw error;
      await rests.rest(pause);
      if (rests.isClosed()) throw error;
    }
  }
}
