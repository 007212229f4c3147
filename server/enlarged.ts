// Copies typed arrays into larger ones.

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/**
 * Copies an array to the start of a larger one.
 * @param to At least as long.
 * @returns the larger one.
 */
export function enlarged<A extends Numbers>(from: A, to: A): A {
  to.set(from);
  return to;
}
