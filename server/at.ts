// Elements of lists that must be there.

/**
 * The element at a place that is known to be there. Not for loops over many: there a check of each is measurable, and
 * `textindex/typedReads.ts` has quicker ones.
 * @throws {RangeError} where there is none: an error of this program.
 */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const found = list[place];
  if (found === undefined) throw new RangeError(`A list of ${list.length} has no place ${place}.`);
  return found;
}
