// Waits for a promise, and not for ever.

/**
 * @param ms Milliseconds it is waited for at most. Default: as long as it takes.
 * @returns Whether it was fulfilled by then; its failure is left to others who wait for it.
 */
export async function within(promise: Promise<unknown> | undefined, ms?: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const settled = Promise.resolve(promise).then(
    () => true,
    () => false,
  );
  if (ms === undefined) return await settled;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
