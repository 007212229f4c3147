// Which variant of an experiment a reader gets: the same in the browser and on the server, without a question to
// anything.

/** Of an experiment: what assignment needs to know of a variant. */
export interface Share {
  /** Share of the readers, in any unit that is the same for all variants. */
  readonly share: number;
}

const FIRST = 0xcc9e2d51;
const SECOND = 0x1b873593;

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/**
 * MurmurHash3, x86, 32 bits (A. Appleby, public domain).
 * @param seed 32 bits.
 */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  let hash = seed;
  const last = bytes.length & ~3;
  const mixed = (word: number) => Math.imul(rotated(Math.imul(word, FIRST), 15), SECOND);
  const byte = (at: number) => bytes[at] ?? 0;
  for (let at = 0; at < last; at += 4) {
    hash ^= mixed(byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24));
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
  }
  if (bytes.length > last) hash ^= mixed(byte(last) | (byte(last + 1) << 8) | (byte(last + 2) << 16));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The variant of a reader. It never changes while the shares stay; the shares of one experiment say nothing about the
 * variant in another, since its name seeds the hash.
 * @param experiment Its name.
 * @param reader Id of the reader; without one, of the page view.
 * @returns undefined where there is no variant with a share.
 */
export function assignVariant<V extends Share>(
  experiment: string,
  reader: string,
  variants: readonly V[],
): V | undefined {
  const text = new TextEncoder();
  const place = murmur3(text.encode(reader), murmur3(text.encode(experiment))) / 2 ** 32;
  const whole = variants.reduce((sum, { share }) => sum + share, 0);
  let upTo = 0;
  return variants.find(({ share }) => {
    upTo += share;
    return share > 0 && place * whole < upTo;
  });
}
