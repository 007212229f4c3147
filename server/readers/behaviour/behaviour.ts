// What readers of a site read next, learned from a plain log of who read what when.
//
//   const behaviour = new Behaviour();
//   behaviour.learn({ time, visitor, post });                   in order of time, about
//   behaviour.next([read last, read before], { now, most });    what readers of these went on to, best first
//
// A score adds three sources, each scaled to its own maximum: sessions that are alike (1), sequential rules (½) and
// popularity now (0.1). Visitors are distinguished only while their session lasts. Bounded: the newest
// clicks of a site, 24 bytes each.
import { at } from '../../at.ts';
import { byAddress, topK } from '../../textindex/topK.ts';
import { AlikeSessions } from './alike.ts';
import { Clicks } from './clicks.ts';
import { Popular } from './popular.ts';
import { type Moment, votesOfRules } from './rules.ts';
import { isFull, Sessions } from './sessions.ts';
import * as settings from './settings.ts';
import { Votes } from './votes.ts';

/** One page view of a log. */
export interface Reading {
  /** Epoch milliseconds. */
  time: number;
  /** Any text that distinguishes visitors; "" or "0": no visitor, the view counts for popularity only. */
  visitor: string;
  /** Canonical URL, or any other name of a post. */
  post: string;
}

export interface Next {
  post: string;
  /** Higher is likelier; at most 1 + ½ + 0.1. */
  score: number;
  /** Sessions that say so of readers of the same posts; 0 for a post that is only popular. */
  readers: number;
  /** Its views among the newest of the site. */
  clicks: number;
}

/** The share of each source in a score. */
export interface Shares {
  alike: number;
  rules: number;
  popular: number;
}

const SHARES: Shares = { alike: 1, rules: settings.RULES_SHARE, popular: settings.POPULAR_SHARE };

// Used for one question at a time, whatever the site; nothing is kept in them.
const alikeSessions = new AlikeSessions(settings.MOST_CLICKS);
const [alike, rules, followed] = [new Votes(), new Votes(), new Votes()];

export class Behaviour {
  private readonly clicks: Clicks;
  private readonly sessions = new Sessions();
  private readonly shares: Shares;
  private readonly popular: Popular;

  /** @param options.mostClicks Clicks remembered, a power of two. Default, and at most: 262,144. */
  constructor({ mostClicks = settings.MOST_CLICKS, shares = SHARES }: { mostClicks?: number; shares?: Shares } = {}) {
    this.clicks = new Clicks(Math.min(mostClicks, settings.MOST_CLICKS));
    this.shares = shares;
    this.popular = new Popular(this.clicks, shares.popular);
  }

  /** Takes in what was read. A post read again in the same session counts once. */
  learn({ time, visitor, post }: Reading): void {
    this.clicks.forgetBefore(time - settings.REMEMBERED_MS);
    if (visitor === '' || visitor === '0') {
      this.clicks.add(post, time, -1);
      return;
    }
    const session = this.sessions.at(visitor, time);
    if (isFull(session) || this.isIn(session.click, post)) return;
    session.click = this.clicks.add(post, time, session.click);
    session.posts++;
  }

  /** Removes ended sessions, and what was read too long ago. */
  tidy(now: number): void {
    this.sessions.close(now);
    this.clicks.forgetBefore(now - settings.REMEMBERED_MS);
  }

  /**
   * What readers of the same posts went on to, best first, without these posts themselves.
   * @param read Newest first; unknown ones say nothing. Where none is known: what is popular now.
   */
  next(read: readonly string[], { now, most }: { now: number; most: number }): Next[] {
    const { clicks, shares } = this;
    const { size } = clicks.posts;
    for (const votes of [alike, rules, followed]) votes.clear(size);
    const numbers = read.map((post) => clicks.posts.find(post));
    const last = numbers[0] ?? -1;
    if (shares.alike > 0) alikeSessions.vote(clicks, numbers, alike);
    if (shares.rules > 0 && last >= 0) votesOfRules(clicks, last, { votes: rules, moment: this.moment(now) });
    followed.addShare(alike, shares.alike);
    followed.addShare(rules, shares.rules);
    return this.best(new Set(numbers), most);
  }

  /** The best of those that readers went on to, and of those that are only popular. */
  private best(seen: ReadonlySet<number>, most: number): Next[] {
    const { popular } = this;
    const { urls } = this.clicks.posts;
    const voted = followed.posts();
    const numbers = new Uint32Array(voted.length + most);
    const scores = new Float32Array(voted.length + most);
    let count = 0;
    const add = (post: number, score: number) => {
      if (seen.has(post)) return;
      numbers[count] = post;
      scores[count++] = score;
    };
    for (const one of popular.posts()) {
      if (count === most) break;
      if (followed.of(one.post) === 0) add(one.post, one.score);
    }
    for (const post of voted) add(post, followed.of(post) + (popular.of(post)?.score ?? 0));
    // Ties are broken by address, so that an answer is the same each time.
    const best = topK({ numbers, scores, count }, most, byAddress(urls));
    return best.map((place) => {
      const post = at(numbers, place);
      const clicks = popular.of(post)?.clicks ?? 0;
      return { post: at(urls, post), score: at(scores, place), readers: followed.votersOf(post), clicks };
    });
  }

  /** Clicks remembered, readers distinguished now, and bytes of the typed arrays. */
  get size(): { clicks: number; readers: number; bytes: number } {
    const { oldest, end, bytes } = this.clicks;
    return { clicks: end - oldest, readers: this.sessions.size, bytes };
  }

  private isIn(newest: number, post: string): boolean {
    const number = this.clicks.posts.find(post);
    if (number < 0 || newest < this.clicks.oldest) return false;
    for (let click = newest; click >= 0; click = this.clicks.previous(click)) {
      if (this.clicks.postOf(click) === number) return true;
    }
    return false;
  }

  private moment(now: number): Moment {
    const { oldest, end } = this.clicks;
    const counted = Math.min(settings.HALF_LIFE_CLICKS, end - oldest);
    const time = ((now - this.clicks.timeOf(end - counted)) * settings.HALF_LIFE_CLICKS) / counted;
    return { now, halfLife: Math.min(settings.LONGEST_HALF_LIFE_MS, Math.max(settings.SHORTEST_HALF_LIFE_MS, time)) };
  }
}
