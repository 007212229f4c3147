// A value that is made when it is first asked for.

/** What it makes when it is first asked for. */
export function once<T extends object | ((...args: never[]) => unknown)>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
