// Waits for a promise for a bounded time, whether it is fulfilled or not.
import { withDeadline } from '../deadline.ts';

/**
 * @param ms Milliseconds it is waited for at most. Default: as long as it takes.
 * @returns Whether it was fulfilled by then; its failure is left to others who wait for it.
 */
export async function within(promise: Promise<unknown> | undefined, ms?: number): Promise<boolean> {
  const settled = Promise.resolve(promise).then(
    () => true,
    () => false,
  );
  return ms === undefined ? await settled : await withDeadline(settled, ms, () => false);
}
