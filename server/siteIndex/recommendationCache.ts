// LRU cache of lists about a post, valid while computing them again would find the same: each reader of an article asks
// for its list. Lists made for one visitor are not kept.
import { LRUCache } from 'lru-cache';
import { type Dials, resolveDials } from '../contract/dials.ts';
import { DAY, MINUTE } from '../durations.ts';
import { lastPubDate } from '../recommend/filters.ts';
import { recommend } from '../recommend/recommend.ts';
import type { Recommendation, RecommendRequest } from '../recommend/request.ts';
import type { Workspace } from '../recommend/workspace.ts';
import type { WorkspacePool } from '../recommend/workspacePool.ts';
import type { PostIndex } from '../textindex/postIndex.ts';

/** Lists kept of a site. */
const LISTS = 4096;
/** Bytes of all of them. A key holds whatever a request names, and an address may have two thousand characters. */
const MAX_BYTES = 6 * 1024 * 1024;
/** Approximate bytes of an entry, and of a post in its list. */
const ENTRY_BYTES = 300;
const POST_BYTES = 60;
/** Longer lists are requested by programs, once, and are not cached. */
const LONGEST = 128;

interface Kept {
  found: Recommendation[];
  /** Publication dates that were asked for, epoch milliseconds … */
  start: number;
  end: number;
  /** … and up to which, and before which, these may move on and mean the same posts. */
  first: number;
  next: number;
}

export class RecommendationCache {
  private readonly lists = new LRUCache<string, Kept>({
    max: LISTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ found }, key) => ENTRY_BYTES + key.length * 2 + found.length * POST_BYTES,
  });
  private excluded: ReadonlySet<string> = new Set();
  /** What was known when the lists were made. */
  private index: PostIndex | undefined;
  private version = '';
  private readonly workspaces: WorkspacePool<Workspace>;

  /** @param workspaces One for all sites: their queries run one after another. */
  constructor(workspaces: WorkspacePool<Workspace>) {
    this.workspaces = workspaces;
  }

  get bytes(): number {
    return this.lists.calculatedSize;
  }

  /** As `recommend`, which is asked where nothing is kept. */
  recommend(index: PostIndex, request: RecommendRequest, now: number): Recommendation[] {
    const compute = () => this.workspaces.use((workspace) => recommend(index, request, now, workspace));
    if (request.visits || request.limit > LONGEST) return compute();
    this.bringUpToDate(index, request.excluded);
    const { url, sort, limit, page, respectEmpty, hidden, pins } = request;
    const { pubDateStart, pubDateEnd: _, ...names } = request.filters;
    const pubDateEnd = lastPubDate(request.filters, now);
    // "Of the last seven days" is another moment each time, and nearly always the same posts.
    const days = [pubDateStart ?? Number.NaN, pubDateEnd].map((date) => Math.round((now - date) / DAY));
    const dials = resolveDials({ url: url !== undefined, visits: false }, request.dials);
    const rules = { hidden, pins };
    const key = JSON.stringify([url, names, days, sort, limit, page, respectEmpty, rules, dials, periodOf(dials, now)]);
    const asked = { start: pubDateStart ?? Number.NEGATIVE_INFINITY, end: pubDateEnd };
    const kept = this.lists.get(key);
    if (kept && meansTheSame(kept, asked)) return kept.found;
    const found = compute();
    this.lists.set(key, { found, ...asked, ...index.catalogue.datesBehind(asked) });
    return found;
  }

  /** Clears the cache when a post came, went or changed, or was hidden or shown again. */
  private bringUpToDate(index: PostIndex, excluded: ReadonlySet<string>): void {
    const { catalogue } = index;
    const version = `${catalogue.version} ${catalogue.embeddings.version}`;
    if (index === this.index && version === this.version && same(excluded, this.excluded)) return;
    this.lists.clear();
    this.index = index;
    this.version = version;
    // A copy: the caller may change its set.
    this.excluded = new Set(excluded);
  }
}

/** Which minute or day a list is of, where that matters: readers are learned all the time, ages are counted in days. */
function periodOf({ mix, popularity, freshness }: Dials, now: number): number {
  if (mix > 0 || popularity > 0) return Math.floor(now / MINUTE);
  return freshness > 0 ? Math.floor(now / DAY) : 0;
}

const meansTheSame = (kept: Kept, { start, end }: { start: number; end: number }): boolean =>
  start >= kept.start && start <= kept.first && end >= kept.end && end < kept.next;

function same(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const one of a) if (!b.has(one)) return false;
  return true;
}
