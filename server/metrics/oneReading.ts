// One question for all figures that are read of it when the metrics are collected.

/**
 * @param ask Is not called again while an earlier call runs.
 * @returns Resolves to its answer; to undefined where it failed: figures of it are no numbers then.
 */
export function oneReading<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asked: Promise<T | undefined> | undefined;
  return () => {
    asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
}
