// A growing buffer to which encoded events are appended. As strings, the pieces of lines would be most of the work of
// the garbage collector.

const PAGE_BYTES = 64 * 1024;
/** Bytes of a UTF-16 unit in UTF-8, at most. */
const WIDEST = 3;

export class Lines {
  bytes: Buffer = Buffer.allocUnsafe(PAGE_BYTES);
  used = 0;

  /** Ensures room for so many more bytes; `bytes` may be reallocated. */
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

  /** A copy of the bytes after offset `since`. */
  copy(since: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(since, this.used));
  }

  /** The bytes written so far, transferred to the caller. The new buffer has the same size. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.used);
    this.bytes = Buffer.allocUnsafe(Math.max(PAGE_BYTES, this.used));
    this.used = 0;
    return taken;
  }
}
