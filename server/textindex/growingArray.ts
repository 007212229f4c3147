// A typed array that is reallocated when a longer one is needed. It is scratch memory: what it held is lost then.

type TypedArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** A longer array has this much room to spare, so that an index that grows post by post reallocates seldom. */
const SPARE = 1.25;

export class GrowingArray<A extends TypedArray> {
  private readonly type: new (
    length: number,
  ) => A;
  private array: A;

  constructor(type: new (length: number) => A) {
    this.type = type;
    this.array = new type(0);
  }

  /** An array of at least `length` elements; its contents are those of an earlier use, or zeros. */
  of(length: number): A {
    if (this.array.length < length) this.array = new this.type(Math.ceil(length * SPARE));
    return this.array;
  }
}
