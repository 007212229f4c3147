// Work that is not waited for longer than so many milliseconds. It goes on.

class LateError extends Error {}

/** @throws when it takes longer, and what the work throws. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`The engine did not answer within ${ms} ms.`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws what the work throws. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await within(ms, work).catch((error: unknown) => {
    if (!(error instanceof LateError)) throw error;
  });
}
