// The key of an event, equal when the event is sent again: a 64-bit hash, computed without allocating a string or an
// object of OpenSSL, since each event has one. A sender gains nothing from a collision: knowing another event, it could
// as well send that one first.

/** Two halves, as signed integers; never both 0. */
export interface EventKey {
  high: number;
  low: number;
}

/** Initial state of the rounds: arbitrary constants. */
const START = [0x3a7f_19c5, 0x5d0b_e682, 0x1f83_d9ab, 0x6c62_272e] as const;
/** Above the length of any text. */
const PART_BITS = 29;
/** Rounds after the last word, which spread its bits. */
const FINISH = '\0\0\0\0\0\0\0\0';

/** @returns The same for the same three texts, in the same places. */
export function eventKey(first: string, second: string, third: string): EventKey {
  let [a, b, c, d]: readonly [number, number, number, number] = START;
  for (let part = 0; part < 4; part++) {
    const text = part === 0 ? first : part === 1 ? second : part === 2 ? third : FINISH;
    const { length } = text;
    // Position and length, so that moving characters from one text to the next changes the key.
    c ^= length ^ (part << PART_BITS);
    for (let at = 0; at < length; at += 2) {
      const word = text.charCodeAt(at) | (at + 1 < length ? text.charCodeAt(at + 1) << 16 : 0);
      // One round of HalfSipHash: https://github.com/veorq/SipHash
      d ^= word;
      a = (a + b) | 0;
      b = ((b << 5) | (b >>> 27)) ^ a;
      a = (a << 16) | (a >>> 16);
      c = (c + d) | 0;
      d = ((d << 8) | (d >>> 24)) ^ c;
      a = (a + d) | 0;
      d = ((d << 7) | (d >>> 25)) ^ a;
      c = (c + b) | 0;
      b = ((b << 13) | (b >>> 19)) ^ c;
      c = (c << 16) | (c >>> 16);
      a ^= word;
    }
  }
  const high = b ^ d;
  const low = a ^ c;
  return { high, low: high === 0 && low === 0 ? 1 : low };
}

/** @param text Decimal, of 64 bits, as the engine returns it. */
export function parseEventKey(text: string): EventKey {
  const bits = BigInt(text);
  return { high: Number(BigInt.asIntN(32, bits >> 32n)), low: Number(BigInt.asIntN(32, bits)) };
}
