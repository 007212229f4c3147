// Reads one item ahead: the next batch is fetched while this one is worked on.

export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = source.next();
      // The next await sees the failure; until then it is no unhandled rejection.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
