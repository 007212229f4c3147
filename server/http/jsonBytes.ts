// Serializes long lists to JSON as bytes. As one string, a list of two thousand records has half a megabyte, which V8
// flattens, copies after the head of the answer, and encodes into a buffer of three times its length; objects alive
// during a minor garbage collection remain until the next major one. Slices of some tens of kilobytes become garbage
// immediately, and bytes are sent without conversion.

/** Records of one slice, which stays out of V8's large-object space. A shorter list is cheaper as a single string. */
const SLICE = 100;

/** Whether a body contains a list of more than one slice. */
export const isLong = (body: object): boolean =>
  Object.values(body).some((value) => Array.isArray(value) && value.length > SLICE);

/**
 * @param body An object of JSON values; undefined members are omitted.
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
