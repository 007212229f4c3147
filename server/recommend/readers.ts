// Fourth call: what other readers read next. It brings posts of its own to a visitor's list, and with a post being read
// it only changes the order: that list is about the post. Without a visitor nothing is asked of readers at all.

import type { Allows } from './allowed.ts';
import type { Next } from './behaviour/behaviour.ts';
import { SESSION_MS } from './behaviour/settings.ts';
import type { Found } from './candidates.ts';
import type { PostIndex } from './postIndex.ts';
import type { RecommendRequest } from './recommend.ts';
import type { Asked } from './understand.ts';
import { FOLLOWED_POSTS, LEAST_READERS, READERS_GAIN, TASTE_SHARE } from './weights.ts';

/** Says what readers of some posts read next: `behaviour/` does. */
export interface Readers {
  /** @param read Canonical URLs, newest first. @returns Best first. */
  next(read: readonly string[], at: { now: number; most: number }): readonly Next[];
}

export function askReaders(
  index: PostIndex,
  scored: Found,
  { asked, allowed, request, now }: { asked: Asked; allowed: Allows; request: RecommendRequest; now: number },
): Found {
  if (!request.readers || !request.visits) return scored;
  const next = request.readers.next(sessionOf(request, request.visits), { now, most: FOLLOWED_POSTS });
  if (next.length === 0) return scored;
  const said = sayings(index, next, allowed);
  return asked.post >= 0 ? lifted(scored, said) : mixed(scored, said);
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

function sayings(index: PostIndex, next: readonly Next[], allowed: Allows): Sayings {
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

/** In the order of the post being read, but for what its readers went on to. */
function lifted(scored: Found, { next, places }: Sayings): Found {
  const scores = scored.scores.slice(0, scored.count);
  for (let at = 0; at < scored.count; at++) {
    const place = places[scored.numbers[at]!]!;
    if (place > 0) scores[at]! *= 1 + READERS_GAIN * next[place - 1]!.score;
  }
  return { ...scored, scores };
}

/** Taste and readers side by side, each against the best there could be. What is only popular brings nobody in. */
function mixed(scored: Found, { next, places }: Sayings): Found {
  const numbers = new Uint32Array(scored.count + next.length);
  const scores = new Float64Array(scored.count + next.length);
  const met = new Uint8Array(next.length);
  let count = 0;
  for (; count < scored.count; count++) {
    const number = scored.numbers[count]!;
    const place = places[number]!;
    numbers[count] = number;
    scores[count] =
      (TASTE_SHARE * scored.scores[count]!) / (scored.closest || 1) + (place > 0 ? next[place - 1]!.score : 0);
    if (place > 0) met[place - 1] = 1;
  }
  for (const [at, { number, score, readers }] of next.entries()) {
    if (met[at] === 1 || readers < LEAST_READERS) continue;
    numbers[count] = number;
    scores[count++] = score;
  }
  return { numbers, scores, count, closest: scored.closest };
}
