// Bytes that grow: where the lines of events are written one after another. As strings, the pieces of lines would be most of what the
// garbage collector has to look at.

const PAGE_BYTES = 64 * 1024;
/** Bytes a character may take. */
const WIDEST = 3;

export class Lines {
  bytes: Buffer = Buffer.allocUnsafe(PAGE_BYTES);
  used = 0;

  /** Makes sure that so many bytes more fit; `bytes` may be others then. */
  need(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.used + more, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }

  put(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
  }

  /** Half a surrogate pair becomes U+FFFD. */
  text(text: string): void {
    this.need(text.length * WIDEST);
    this.used += this.bytes.write(text, this.used);
  }

  /** What was written since `used` was so much. */
  copy(since: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(since, this.used));
  }

  /** What was written, which is the caller's from now on. What comes next is expected to be as much. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.used);
    this.bytes = Buffer.allocUnsafe(Math.max(PAGE_BYTES, this.used));
    this.used = 0;
    return taken;
  }
}
