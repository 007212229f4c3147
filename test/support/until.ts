// Waiting for a condition, never for a time.
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 20;
/** A question that takes long is asked after a pause this many times as long: what waits leaves the processor to what is waited for. */
const PAUSE_PER_QUESTION = 4;
const LONGEST_PAUSE_MS = 500;

/**
 * Resolves with the first truthy answer of a question.
 * @param what Finishes the sentence "waited in vain until …".
 * @param patience Milliseconds, a bound for what hangs: a busy machine may stand still for seconds. Default: 100 s.
 * @param longestPause Milliseconds between two questions, however long they take. Default: 500.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patience = 100_000,
  longestPause = LONGEST_PAUSE_MS,
): Promise<NonNullable<T>> {
  const giveUp = performance.now() + patience;
  for (;;) {
    const asked = performance.now();
    const answer = await ask();
    if (answer) return answer;
    const now = performance.now();
    if (now > giveUp) throw new Error(`Waited in vain until ${what}.`);
    await sleep(Math.min(longestPause, Math.max(STEP_MS, (now - asked) * PAUSE_PER_QUESTION)));
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
