// What every visitor of a log has read in the session under way; sessions that have ended are dropped.
import type { Reading } from '../readers/behaviour/behaviour.ts';
import { SESSION_MS } from '../readers/behaviour/settings.ts';

/** Sessions beyond which those that ended are looked for. */
const SWEEP_ABOVE = 10_000;

export class SessionsSoFar {
  /** In the order they were seen, the longest ago first. */
  private readonly open = new Map<string, { seen: number; read: string[] }>();
  private sweepAbove = SWEEP_ABOVE;

  /** Newest first. */
  readBy({ visitor, time }: Reading): readonly string[] {
    const session = this.open.get(visitor);
    return session && time - session.seen <= SESSION_MS ? session.read : [];
  }

  add(reading: Reading): void {
    const { visitor, time, post } = reading;
    if (visitor === '' || visitor === '0') return;
    const others = this.readBy(reading).filter((other) => other !== post);
    this.open.delete(visitor);
    this.open.set(visitor, { seen: time, read: [post, ...others] });
    if (this.open.size > this.sweepAbove) this.sweep(time);
  }

  private sweep(now: number): void {
    for (const [visitor, { seen }] of this.open) {
      if (now - seen <= SESSION_MS) break;
      this.open.delete(visitor);
    }
    this.sweepAbove = Math.max(SWEEP_ABOVE, this.open.size * 2);
  }
}
