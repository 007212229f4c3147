// JSON of long lists as bytes. As one string, a list of two thousand records is half a megabyte that V8 flattens, copies
// behind the head of the answer, and encodes into a buffer three times its length; what is alive during a minor
// collection stays until the next major one. Slices of some tens of kilobytes are garbage at once, and bytes are sent as
// they are.

/** Records of one slice, which V8 keeps among its small objects; up to one, a single string costs less. */
const SLICE = 100;

/** Whether a body holds a list of more than one slice. */
export const isLong = (body: object): boolean =>
  Object.values(body).some((value) => Array.isArray(value) && value.length > SLICE);

/**
 * @param body An object of values as JSON has them; members that are undefined are left out.
 * @returns The bytes of `JSON.stringify(body)`.
 */
export function toJsonBytes(body: object): Uint8Array<ArrayBuffer> {
  const pieces = [...piecesOf(body)];
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

function* piecesOf(body: object): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (Array.isArray(value)) yield* slicesOf(value);
    else yield JSON.stringify(value);
  }
  yield separator === '{' ? '{}' : '}';
}

function* slicesOf(list: readonly unknown[]): Generator<string> {
  for (let from = 0; from < list.length; from += SLICE) {
    yield `${from === 0 ? '[' : ','}${JSON.stringify(list.slice(from, from + SLICE)).slice(1, -1)}`;
  }
  yield list.length === 0 ? '[]' : ']';
}
