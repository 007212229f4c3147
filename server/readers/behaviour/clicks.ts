// What was read, in the order it was read: a ring of the newest clicks in typed arrays, 24 bytes each. Each click has
// the distances to the click before on the same post and to its neighbours in the same session: they lead to the
// sessions that read a post, and to what was read before and after it. No visitor id is stored: a session is a number
// that is reused.
import { float64At, uint32At } from '../../textindex/typedReads.ts';
import { Readings } from './readings.ts';

const FIRST_ROOM = 1024;

export class Clicks {
  /** Clicks run from `oldest` to `end` (exclusive), counted from the beginning of the log. */
  oldest = 0;
  end = 0;
  readonly posts = new Readings();
  /** Clicks kept at most. */
  readonly most: number;
  private room: number;
  private post: Uint32Array;
  /** Seconds since 1970. */
  private second: Uint32Array;
  private session: Uint32Array;
  /** Distances; 0: there is none. */
  private toSamePost: Uint32Array;
  private toPrevious: Uint32Array;
  private toNext: Uint32Array;

  /** @param most Clicks kept; a power of two. */
  constructor(most: number) {
    this.most = most;
    this.room = Math.min(FIRST_ROOM, most);
    this.post = new Uint32Array(this.room);
    this.second = new Uint32Array(this.room);
    this.session = new Uint32Array(this.room);
    this.toSamePost = new Uint32Array(this.room);
    this.toPrevious = new Uint32Array(this.room);
    this.toNext = new Uint32Array(this.room);
  }

  /**
   * @param previous The session's click before, or -1 for the first of a session.
   * @returns The click.
   */
  add(url: string, time: number, previous: number): number {
    if (this.end - this.oldest === this.room) {
      if (this.room < this.most) this.grow();
      else this.forgetOldest();
    }
    const click = this.end++;
    const at = click & (this.room - 1);
    const post = this.posts.number(url);
    const same = float64At(this.posts.last, post);
    const linked = previous >= this.oldest;
    this.post[at] = post;
    this.second[at] = Math.floor(time / 1000);
    this.toSamePost[at] = same >= this.oldest ? click - same : 0;
    this.toPrevious[at] = linked ? click - previous : 0;
    this.toNext[at] = 0;
    // A session is named by its first click.
    this.session[at] = linked ? this.sessionOf(previous) : click & (this.most - 1);
    if (linked) this.toNext[previous & (this.room - 1)] = click - previous;
    this.posts.read(post, click);
    return click;
  }

  /** Drops the clicks before a time (epoch milliseconds). */
  forgetBefore(time: number): void {
    while (this.oldest < this.end && this.timeOf(this.oldest) < time) this.forgetOldest();
  }

  postOf(click: number): number {
    return this.of(this.post, click);
  }

  /** Epoch milliseconds, whole seconds. */
  timeOf(click: number): number {
    return this.of(this.second, click) * 1000;
  }

  /** Number of the session, below the most clicks kept. */
  sessionOf(click: number): number {
    return this.of(this.session, click);
  }

  /** The click before on the same post, -1 when none is remembered. */
  samePost(click: number): number {
    return this.remembered(click - this.of(this.toSamePost, click), click);
  }

  /** The click before in the same session, -1 when none is remembered. */
  previous(click: number): number {
    return this.remembered(click - this.of(this.toPrevious, click), click);
  }

  /** The click after in the same session, -1 when there is none. */
  next(click: number): number {
    const distance = this.of(this.toNext, click);
    return distance === 0 ? -1 : click + distance;
  }

  get bytes(): number {
    return this.room * 24 + this.posts.bytes;
  }

  private of(column: Uint32Array, click: number): number {
    return uint32At(column, click & (this.room - 1));
  }

  private remembered(other: number, click: number): number {
    return other === click || other < this.oldest ? -1 : other;
  }

  private forgetOldest(): void {
    this.posts.forget(this.postOf(this.oldest));
    this.oldest++;
  }

  private grow(): void {
    const from = this.room;
    this.room *= 2;
    for (const name of ['post', 'second', 'session', 'toSamePost', 'toPrevious', 'toNext'] as const) {
      const larger = new Uint32Array(this.room);
      for (let click = this.oldest; click < this.end; click++) {
        larger[click & (this.room - 1)] = uint32At(this[name], click & (from - 1));
      }
      this[name] = larger;
    }
  }
}
