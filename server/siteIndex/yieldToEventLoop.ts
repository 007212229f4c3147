// Lets requests that wait be answered before long work goes on.
import { setImmediate } from 'node:timers/promises';

export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Does the work of a generator with a breath after each step. */
export async function inSlices(steps: Iterable<void>): Promise<void> {
  for (const _ of steps) await yieldToEventLoop();
}
