// Waits for a promise for a bounded time.

/**
 * @param work Continues after the deadline; its failure after it is ignored.
 * @param ms Milliseconds.
 * @param late The result when the deadline passes first.
 * @throws what the work throws before the deadline.
 */
export async function withDeadline<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    const first = await Promise.race([work.then((result) => ({ result })), deadline]);
    return first === undefined ? late() : first.result;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until a promise is settled.
 * @param ms Milliseconds at most. Default: as long as it takes.
 * @returns Whether it was fulfilled by then; its failure is left to others who wait for it.
 */
export async function fulfilledWithin(promise: Promise<unknown> | undefined, ms?: number): Promise<boolean> {
  const settled = Promise.resolve(promise).then(
    () => true,
    () => false,
  );
  return ms === undefined ? await settled : await withDeadline(settled, ms, () => false);
}
