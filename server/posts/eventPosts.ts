// Posts made of the metadata of views, where a site allows it: content of apps that no crawler can read.
//
// What a view says waits in memory until it is written, a second or so after the view was answered. A stop writes what
// waits; a kill loses it, and the next view of the page brings it again, since apps send it with every view. It only
// fills in what neither the publisher nor the crawler has said.
import { LRUCache } from 'lru-cache';
import { MINUTE } from '../durations.ts';
import { createHourlyAllowance } from '../ingest/cardinality/hourlyAllowance.ts';
import { hash64 } from '../ingest/steps/visitorId.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';
import { acceptedFields } from './mergeMetadata.ts';
import type { Post, PostPatch } from './post.ts';

/** `known`: it says nothing new. `left-out`: more than a site or a network may bring, or than may wait. */
export type EventPostOutcome = 'written' | 'known' | 'left-out';

export interface Described {
  site: SiteId;
  url: string;
  patch: PostPatch;
  /** The sender's network; undefined where it is not known or private. */
  network: string | undefined;
}

export interface EventPosts {
  /** A view that is taken said this of its page. Costs a look-up in memory; never throws. */
  described(said: Described): void;
  /** Writes a part of what waits. @throws what storage throws; what was not written waits on. */
  tick(): Promise<void>;
  /** Totals since start. */
  counts(): { outcome: EventPostOutcome; count: number }[];
  /** Writes all that waits. */
  drain(): Promise<void>;
}

export interface EventPostsOptions {
  library: Pick<Library, 'get' | 'resolve' | 'write'>;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?(): number;
}

/** Posts written of a site in an hour; one network brings a twentieth. A newsroom writes a few hundred a day. */
const PER_HOUR = 1_000;
/** Pages that wait, and the characters of what is said of them. */
const MAX_WAITING = 2_000;
const MAX_WAITING_CHARACTERS = 4_000_000;
/** Pages written in a row. */
const PER_TICK = 100;
/** The same said of the same page is looked at again after this long: the page may have been left out, or removed. */
const AGAIN_MS = 10 * MINUTE;
const REMEMBERED = 20_000;
/** After a failure of storage. */
const PAUSE_MS = 5_000;

export function createEventPosts({ library, now, clock = now }: EventPostsOptions): EventPosts {
  const waiting = new Map<string, Described & { characters: number }>();
  let characters = 0;
  /** When what was said of a page, by hash, was handed on. */
  const handed = new LRUCache<string, number>({ max: REMEMBERED });
  const allowance = createHourlyAllowance(PER_HOUR);
  const outcomes = new Map<EventPostOutcome, number>();
  let resume = 0;

  const count = (outcome: EventPostOutcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  function remove(key: string): void {
    characters -= waiting.get(key)?.characters ?? 0;
    waiting.delete(key);
  }

  /** Merged by the library: this only finds out whether anything is new. */
  async function write({ site, url: said, patch, network }: Described): Promise<EventPostOutcome> {
    const url = await library.resolve(site, said);
    const [known] = await library.get(site, [url]);
    if (known !== undefined && !addsTo(known, patch)) return 'known';
    if (!allowance.take(site, network, now())) return 'left-out';
    try {
      await library.write(site, url, { patch, by: 'event' });
    } catch (error) {
      if (error instanceof PostQuotaError) return 'left-out';
      throw error;
    }
    return 'written';
  }

  async function writeSome(most: number): Promise<void> {
    for (const [key, said] of [...waiting].slice(0, most)) {
      count(await write(said));
      // Something else may have been said of it meanwhile.
      if (waiting.get(key) === said) remove(key);
    }
  }

  return {
    described(said) {
      const { site, url, patch } = said;
      const text = JSON.stringify(patch);
      const hash = hash64(`${site}\n${url}\n${text}`);
      const at = handed.get(hash);
      if (at !== undefined && clock() - at < AGAIN_MS) return;
      handed.set(hash, clock());
      const key = `${site} ${url}`;
      remove(key);
      if (waiting.size >= MAX_WAITING || characters + text.length > MAX_WAITING_CHARACTERS) {
        count('left-out');
        return;
      }
      waiting.set(key, { ...said, characters: text.length });
      characters += text.length;
    },
    async tick() {
      if (clock() < resume) return;
      try {
        await writeSome(PER_TICK);
      } catch (error) {
        resume = clock() + PAUSE_MS;
        throw error;
      }
    },
    counts: () => [...outcomes].map(([outcome, total]) => ({ outcome, count: total })),
    async drain() {
      while (waiting.size > 0) await writeSome(waiting.size);
    },
  };
}

function addsTo(known: Post, patch: PostPatch): boolean {
  // A home page, or a film: what is said is about something else.
  return known.pageType === 'post' && acceptedFields(known, patch, 'event').length > 0;
}
