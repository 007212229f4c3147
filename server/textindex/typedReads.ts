// Checked reads of typed arrays. One function for each kind of array: V8 inlines it, and the check then costs next to
// nothing, while `at` is called with arrays of every kind and has to look at the kind first.
//
// They are not for every loop. V8 inlines some 900 bytecodes into a function, and each of these reads takes 20 of them.
// Where a loop calls other functions for every element (`prunedTopK`, `Overlap.words`, the effects of ranking factors),
// those are not inlined any more: a query took 4 % longer. Loops that do little else than read (varints, the loops over
// all posts, look-ups of many terms at once) took up to 18 % longer. Both kinds read without a check.

/**
 * The byte at a place.
 * @throws {RangeError} where the array ends before it: an error of this program.
 */
export function uint8At(list: Uint8Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

/**
 * As `uint8At`, of numbers of 16 bits.
 * @throws {RangeError} where the array ends before the place.
 */
export function uint16At(list: Uint16Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

/**
 * As `uint8At`, of numbers of 32 bits.
 * @throws {RangeError} where the array ends before the place.
 */
export function uint32At(list: Uint32Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

/**
 * As `uint8At`, of numbers of 32 bits with a sign.
 * @throws {RangeError} where the array ends before the place.
 */
export function int32At(list: Int32Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

/**
 * As `uint8At`, of fractions of 32 bits.
 * @throws {RangeError} where the array ends before the place.
 */
export function float32At(list: Float32Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

/**
 * As `uint8At`, of fractions of 64 bits.
 * @throws {RangeError} where the array ends before the place.
 */
export function float64At(list: Float64Array, place: number): number {
  const found = list[place];
  if (found === undefined) throw outside(list, place);
  return found;
}

const outside = ({ length }: ArrayLike<number>, place: number): RangeError =>
  new RangeError(`A typed array of ${length} has no place ${place}.`);
