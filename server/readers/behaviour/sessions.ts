// Who is reading right now: distinguished by id only as long as a session lasts, then forgotten.
import { MINUTE } from '../../durations.ts';
import { OPEN_SESSIONS, SESSION_MS, SESSION_POSTS } from './settings.ts';

/** A session under way. */
export interface OpenSession {
  /** Its newest click. */
  click: number;
  /** Epoch milliseconds of the last page, also one that did not count. */
  seen: number;
  posts: number;
}

/** Interval between two removals of sessions that have ended. */
const SWEEP_MS = MINUTE;

export class Sessions {
  /** In the order they were seen, the longest ago first. */
  private readonly open = new Map<string, OpenSession>();
  private swept = 0;

  /** The session a view belongs to; one without clicks when it begins with it. */
  at(visitor: string, time: number): OpenSession {
    if (time - this.swept > SWEEP_MS || this.open.size > OPEN_SESSIONS) this.close(time);
    const known = this.open.get(visitor);
    if (known) this.open.delete(visitor);
    const goesOn = known !== undefined && time - known.seen <= SESSION_MS;
    const session = goesOn ? known : { click: -1, seen: time, posts: 0 };
    session.seen = Math.max(session.seen, time);
    this.open.set(visitor, session);
    return session;
  }

  /** Removes ended sessions; beyond the bound, those seen longest ago too. */
  close(now: number): void {
    this.swept = now;
    let tooMany = this.open.size > OPEN_SESSIONS ? OPEN_SESSIONS / 10 : 0;
    for (const [visitor, { seen }] of this.open) {
      if (now - seen <= SESSION_MS && tooMany-- <= 0) return;
      this.open.delete(visitor);
    }
  }

  get size(): number {
    return this.open.size;
  }
}

/** A session so long is a program's. */
export const isFull = ({ posts }: OpenSession): boolean => posts >= SESSION_POSTS;
