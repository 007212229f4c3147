// One run of a job over many items, mostly sites: a failure of one does not stop the others.

interface Options {
  /** Most that are served at a time. Default: 1, one after another in their order. */
  concurrency?: number | undefined;
  /** Once aborted, no further item is begun. Default: all are served. */
  stop?: AbortSignal | undefined;
}

/**
 * Serves each of them, also where others fail.
 * @returns The failures, once all that were begun have ended; empty where none failed.
 */
export async function serveEach<T>(
  items: Iterable<T>,
  serve: (item: T) => Promise<unknown>,
  { concurrency = 1, stop }: Options = {},
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const left = items[Symbol.iterator]();
  const work = async () => {
    for (let next = left.next(); !next.done && !stop?.aborted; next = left.next())
      await serve(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return failures;
}
