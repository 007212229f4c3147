// A direct-mapped cache of what was found of pairs of posts, kept until the index changes: long lists ask of the same
// pairs again and again, and each answer takes reading two posts.

const SLOT_BITS = 13;
/** At 8 bytes each: 64 KiB for a site that is asked. */
const SLOTS = 1 << SLOT_BITS;
/** Posts of a site are fewer: two numbers and an answer fit the 53 bits of an integer. */
const MOST_POSTS = 2 ** 25;
const EMPTY = -1;

export class PairCache {
  private keys = new Float64Array(0);
  private version = -1;

  /**
   * @param version Of what the answers follow from: with another one all are forgotten.
   * @param compute Called where the answer is not known.
   */
  get(version: number, [a, b]: readonly [a: number, b: number], compute: () => boolean): boolean {
    if (version !== this.version) this.clear(version);
    const slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> (32 - SLOT_BITS);
    const key = (a * MOST_POSTS + b) * 2;
    const kept = this.keys[slot]!;
    if (kept === key || kept === key + 1) return kept !== key;
    const answer = compute();
    this.keys[slot] = key + Number(answer);
    return answer;
  }

  private clear(version: number): void {
    if (this.keys.length === 0) this.keys = new Float64Array(SLOTS);
    this.keys.fill(EMPTY);
    this.version = version;
  }
}
