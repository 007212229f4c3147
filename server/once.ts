// A value that is created on first use.

/** Returns a function that creates the value on its first call. */
export function once<T extends object | ((...args: never[]) => unknown)>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
