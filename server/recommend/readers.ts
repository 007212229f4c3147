// Fourth call: what other readers read next. It brings posts of its own to a visitor's list, and with a post being read
// it only changes the order: that list is about the post. Without a visitor nothing is asked of readers at all.

import type { Next } from '../readers/behaviour/behaviour.ts';
import { SESSION_MS } from '../readers/behaviour/settings.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { Filter } from './filters.ts';
import type { Query } from './query.ts';
import type { RecommendRequest } from './request.ts';
import type { ScoredCandidates, Scorer } from './scorer.ts';
import { FOLLOWED_POSTS, LEAST_READERS, READERS_GAIN, TASTE_SHARE } from './weights.ts';

export function askReaders(
  { index, post }: Query,
  scored: ScoredCandidates,
  { allowed, request, now }: { allowed: Filter; request: RecommendRequest; now: number },
): ScoredCandidates {
  if (!request.readers || !request.visits) return scored;
  const next = request.readers.next(sessionOf(request, request.visits), { now, most: FOLLOWED_POSTS });
  if (next.length === 0) return scored;
  const said = sayings(index, next, allowed);
  return post >= 0 ? lifted(scored, said) : mixed(scored, said);
}

/** The post being read and what was read just before it, newest first: what was read last week says nothing of now. */
function sessionOf({ url }: RecommendRequest, visits: readonly { url: string; time: number }[]): string[] {
  const session = url === undefined ? [] : [url];
  let before: number | undefined;
  for (const visit of visits) {
    if (before !== undefined && before - visit.time > SESSION_MS) break;
    before = visit.time;
    if (visit.url !== url) session.push(visit.url);
  }
  return session;
}

/** What is said of posts that may be shown. */
interface Sayings {
  next: { number: number; score: number; readers: number }[];
  /** By number of post: its place in `next` plus one; 0: nothing is said of it. */
  places: Uint16Array;
}

function sayings(index: PostIndex, next: readonly Next[], allowed: Filter): Sayings {
  const { catalogue } = index;
  const said: Sayings = { next: [], places: new Uint16Array(catalogue.size) };
  const loudest = next[0]!.score;
  for (const { post, score, readers } of next) {
    const number = catalogue.find(post);
    if (number >= 0 && allowed(number)) {
      said.places[number] = said.next.push({ number, score: score / loudest, readers });
    }
  }
  return said;
}

/** What is said of a post, at most 1. */
const saidOf =
  ({ next, places }: Sayings) =>
  (number: number): number => {
    const place = places[number]!;
    return place > 0 ? next[place - 1]!.score : 0;
  };

/** In the order of the post being read, but for what its readers went on to. */
function lifted(scored: ScoredCandidates, sayings: Sayings): ScoredCandidates {
  const said = saidOf(sayings);
  return { ...scored, scorer: rescored(scored.scorer, (number, score) => score * (1 + READERS_GAIN * said(number))) };
}

/** Taste and readers side by side, each against the best there could be. What is only popular adds no post. */
function mixed(scored: ScoredCandidates, sayings: Sayings): ScoredCandidates {
  const { next, places } = sayings;
  const numbers = new Uint32Array(scored.count + next.length);
  const scores = new Float32Array(scored.count + next.length);
  numbers.set(scored.numbers.subarray(0, scored.count));
  scores.set(scored.scores.subarray(0, scored.count));
  const met = new Uint8Array(next.length);
  for (let at = 0; at < scored.count; at++) {
    const place = places[numbers[at]!]!;
    if (place > 0) met[place - 1] = 1;
  }
  let { count } = scored;
  // Those that readers bring in are as good as not close at all.
  for (const [at, { number, readers }] of next.entries()) {
    if (met[at] === 0 && readers >= LEAST_READERS) numbers[count++] = number;
  }
  const said = saidOf(sayings);
  const { closest } = scored;
  const scorer = rescored(scored.scorer, (number, score) => (TASTE_SHARE * score) / (closest || 1) + said(number));
  return { ...scored, numbers, scores, count, scorer };
}

/** A scorer whose scores are made of another's: `made` grows with the score. */
function rescored(scorer: Scorer, made: (number: number, score: number) => number): Scorer {
  return {
    cheapScore: scorer.cheapScore,
    fullScore: (number, cheapScore) => made(number, scorer.fullScore(number, cheapScore)),
    upperBound: (number, cheapScore) => made(number, scorer.upperBound(number, cheapScore)),
    cheapUpperBound: (number, closeness) => made(number, scorer.cheapUpperBound(number, closeness)),
  };
}
