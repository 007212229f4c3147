// Parts of an index in shared memory. Transferred as ordinary buffers, each would count as newly allocated memory in
// the receiving thread, and hundreds of megabytes in a second make the garbage collector scan everything, again and
// again.
import type { SnapshotArray, SnapshotPart } from '../textindex/snapshotPart.ts';

/** The same parts in shared memory; the memory of each original is released as it goes. */
export function* toSharedParts(parts: Iterable<SnapshotPart>): Generator<SnapshotPart, undefined> {
  for (const one of parts) yield { ...one, arrays: one.arrays.map(moved) };
}

function moved<A extends SnapshotArray>(array: A): A {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new Kind(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  // One array without bytes may stand for many.
  if (array.byteLength === 0) return copy;
  // Transferring the buffer to a copy that is dropped releases it: an index is not in memory twice.
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return copy;
}
