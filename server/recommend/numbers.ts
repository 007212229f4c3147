// Reads the numbers of a digest one after another: seven bits a byte, the lowest first, and a bit that says "more".

export class Numbers {
  /** Where the next one begins. */
  at = 0;
  private bytes = new Uint8Array(0);

  /** Begins to read at `start`. */
  open({ page, start }: { page: Uint8Array; start: number }): this {
    this.bytes = page as Uint8Array<ArrayBuffer>;
    this.at = start;
    return this;
  }

  /** Of one byte or two by chance: a branch between them would be guessed wrong half the time. */
  next(): number {
    const { bytes } = this;
    const { at } = this;
    const first = bytes[at]!;
    const more = first >>> 7;
    const second = bytes[at + 1]! & -more;
    this.at = at + 1 + more;
    const number = (first & 127) | ((second & 127) << 7);
    return second < 128 ? number : this.rest(number);
  }

  /** The third byte and those behind it. */
  private rest(start: number): number {
    const { bytes } = this;
    let number = start;
    for (let shift = 14; ; shift += 7) {
      const byte = bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }

  skip(numbers: number): void {
    const { bytes } = this;
    for (let left = numbers; left > 0; ) if (bytes[this.at++]! < 128) left--;
  }
}
