// The posts that were read lately, numbered: a number is free again when the last click on its post is forgotten.
import { at } from '../../at.ts';

export class Readings {
  urls: string[] = [];
  /** The newest click on each post; -1 where a number is free. */
  last = new Float64Array(64).fill(-1);
  private clicks = new Uint32Array(64);
  private readonly numbers = new Map<string, number>();
  private free: number[] = [];

  /** Numbers run from 0 to `size`; some may be free. */
  get size(): number {
    return this.urls.length;
  }

  /** -1 for a post that was not read lately. */
  find(url: string): number {
    return this.numbers.get(url) ?? -1;
  }

  /** Number of a post, given to it when first met. */
  number(url: string): number {
    const known = this.numbers.get(url);
    if (known !== undefined) return known;
    const number = this.free.pop() ?? this.urls.length;
    if (number === this.last.length) this.grow();
    this.numbers.set(url, number);
    this.urls[number] = url;
    return number;
  }

  /** Counts a click on a post. */
  read(number: number, click: number): void {
    this.clicks[number] = (this.clicks[number] ?? 0) + 1;
    this.last[number] = click;
  }

  /** Takes the oldest click on a post back. */
  forget(number: number): void {
    const left = (this.clicks[number] ?? 0) - 1;
    this.clicks[number] = left;
    if (left > 0) return;
    this.numbers.delete(at(this.urls, number));
    this.urls[number] = '';
    this.last[number] = -1;
    this.free.push(number);
  }

  get bytes(): number {
    return this.last.length * 12;
  }

  private grow(): void {
    const last = new Float64Array(this.last.length * 2).fill(-1);
    last.set(this.last);
    this.last = last;
    const clicks = new Uint32Array(this.clicks.length * 2);
    clicks.set(this.clicks);
    this.clicks = clicks;
  }
}
