// Yields to the event loop, so that waiting requests are answered between the steps of long work.
import { setImmediate } from 'node:timers/promises';

export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Runs a generator to its end and yields to the event loop after each step. */
export async function inSlices(steps: Iterable<void>): Promise<void> {
  for (const _ of steps) await yieldToEventLoop();
}
