// Sessions that are alike: readers of the same posts, and what else they read. The posts read last decide most
// (V-SKNN of Ludewig and Jannach, with the newest sessions of each post as the sample).

import { at } from '../../at.ts';
import { topK } from '../../textindex/topK.ts';
import { float64At, uint16At } from '../../textindex/typedReads.ts';
import type { Clicks } from './clicks.ts';
import { ALIKE_SESSIONS, COMPARED_POSTS, SAMPLED_SESSIONS } from './settings.ts';
import type { Votes } from './votes.ts';

/** The place of each session met. */
const PLACES = Uint32Array.from({ length: SAMPLED_SESSIONS * COMPARED_POSTS }, (_, place) => place);

/** Sessions met while a question is answered. */
export class AlikeSessions {
  /** Place of a session among those met, by its number; valid where `stamps` has the current stamp. */
  private readonly places: Uint16Array;
  private readonly stamps: Uint32Array;
  private stamp = 0;
  /** Of each session met: one of its clicks, how alike it is, how far back the newest post in common lies. */
  private readonly met: { click: Float64Array; alike: Float64Array; back: Uint8Array };
  private count = 0;

  constructor(mostSessions: number) {
    this.places = new Uint16Array(mostSessions);
    this.stamps = new Uint32Array(mostSessions);
    const room = SAMPLED_SESSIONS * COMPARED_POSTS;
    this.met = { click: new Float64Array(room), alike: new Float64Array(room), back: new Uint8Array(room) };
  }

  /** @param read Numbers of posts, newest first. */
  vote(clicks: Clicks, read: readonly number[], votes: Votes): void {
    this.begin();
    const compared = Math.min(read.length, COMPARED_POSTS);
    for (const [back, post] of read.slice(0, compared).entries()) {
      this.meet(clicks, post, { back, weight: 1 - back / compared });
    }
    const { click, alike, back } = this.met;
    for (const place of this.closest()) {
      const vote = (at(alike, place) / compared) * (1 - at(back, place) / COMPARED_POSTS);
      let one = at(click, place);
      for (let before = one; before >= 0; before = clicks.previous(before)) one = before;
      for (; one >= 0; one = clicks.next(one)) votes.add(clicks.postOf(one), vote);
    }
  }

  private begin(): void {
    this.count = 0;
    if (++this.stamp <= 0xffffffff) return;
    this.stamps.fill(0);
    this.stamp = 1;
  }

  private meet(clicks: Clicks, post: number, { back, weight }: { back: number; weight: number }): void {
    const { places, stamps, met } = this;
    let click = post < 0 ? -1 : (clicks.posts.last[post] ?? -1);
    for (let looked = 0; click >= 0 && looked < SAMPLED_SESSIONS; looked++) {
      const session = clicks.sessionOf(click);
      if (stamps[session] === this.stamp) {
        const place = uint16At(places, session);
        met.alike[place] = float64At(met.alike, place) + weight;
      } else {
        stamps[session] = this.stamp;
        places[session] = this.count;
        met.click[this.count] = click;
        met.alike[this.count] = weight;
        met.back[this.count++] = back;
      }
      click = clicks.samePost(click);
    }
  }

  /** Places of the sessions most alike; among equals those whose click is the newest. */
  private closest(): number[] {
    const { click, alike } = this.met;
    const { count } = this;
    if (count <= ALIKE_SESSIONS) return Array.from({ length: count }, (_, place) => place);
    return topK(
      { numbers: PLACES, scores: alike, count },
      ALIKE_SESSIONS,
      (a, b) => float64At(click, a) > float64At(click, b),
    );
  }
}
