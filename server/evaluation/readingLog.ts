// A log of who read what when, in order of time, as an evaluation goes through it: twenty bytes a view, so that
// millions of them fit into memory.
import { enlarged } from '../enlarged.ts';
import type { Reading } from '../readers/behaviour/behaviour.ts';
import { parseViewTime } from '../readers/viewColumns.ts';

/** A log in order of time. An array of readings is one. */
export interface Log extends Iterable<Reading> {
  readonly length: number;
}

/**
 * A record with `date`, `visitor` and `url`, such as `createViewReader` makes of any log's.
 * @returns undefined for what is no page view: no time, no post, or another action (`action` other than pageview).
 */
export function toReading(value: unknown): Reading | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const time = parseViewTime(text(record.date));
  const post = text(record.url);
  const action = text(record.action);
  if (time === undefined || post === '' || (action !== '' && action !== 'pageview')) return undefined;
  return { time, visitor: text(record.visitor) || text(record.visitor_hash), post };
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const FIRST_ROOM = 1024;

export class ReadingLog implements Log {
  length = 0;
  private times = new Float64Array(FIRST_ROOM);
  private posts = new Uint32Array(FIRST_ROOM);
  /** 0: no visitor. */
  private visitors = new Uint32Array(FIRST_ROOM);
  /** Places of the views in order of time; undefined: they came in order. */
  private order: Uint32Array | undefined;
  private readonly names: string[] = [];
  private readonly postNumbers = new Map<string, number>();
  private readonly visitorNumbers = new Map<string, number>();

  add({ time, visitor, post }: Reading): void {
    if (this.length === this.times.length) this.grow();
    const at = this.length++;
    this.times[at] = time;
    this.posts[at] = numberOf(this.postNumbers, post);
    if (this.postNumbers.size > this.names.length) this.names.push(post);
    const isVisitor = visitor !== '' && visitor !== '0';
    this.visitors[at] = isVisitor ? numberOf(this.visitorNumbers, visitor) + 1 : 0;
  }

  /** Puts the views in order of time. Visitors have numbers for names from then on. */
  inOrder(): this {
    this.visitorNumbers.clear();
    const times = this.times.subarray(0, this.length);
    if (times.some((time, at) => at > 0 && time < times[at - 1]!)) {
      this.order = Uint32Array.from(times, (_, at) => at).sort((a, b) => times[a]! - times[b]! || a - b);
    }
    return this;
  }

  *[Symbol.iterator](): Generator<Reading> {
    for (let place = 0; place < this.length; place++) {
      const at = this.order ? this.order[place]! : place;
      const visitor = this.visitors[at]!;
      yield {
        time: this.times[at]!,
        visitor: visitor === 0 ? '' : String(visitor),
        post: this.names[this.posts[at]!]!,
      };
    }
  }

  private grow(): void {
    const room = this.length * 2;
    this.times = enlarged(this.times, new Float64Array(room));
    this.posts = enlarged(this.posts, new Uint32Array(room));
    this.visitors = enlarged(this.visitors, new Uint32Array(room));
  }
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
