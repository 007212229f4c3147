// Waiting for a condition, never for a time.
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 20;

/**
 * Resolves with the first truthy answer of a question.
 * @param what Finishes the sentence "waited in vain until …".
 * @param patience Milliseconds, a bound for what hangs: a busy machine may stand still for seconds. Default: 100 s.
 */
export async function until<T>(what: string, ask: () => T | Promise<T>, patience = 100_000): Promise<NonNullable<T>> {
  const giveUp = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > giveUp) throw new Error(`Waited in vain until ${what}.`);
    await sleep(STEP_MS);
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
