// How often nothing is recommended below a post that belongs to none of a site's, and something below one of its own: in a
// site as it is, and in young ones.
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { mean } from '../../server/evaluation/measures.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { foreignPosts } from './foreign.ts';
import type { NamedSet } from './sites.ts';

/** Posts of a young site, and how many such sites are asked. */
export const YOUNG = 50;
export const YOUNG_SITES = 8;

/** Shares of 1. */
export interface Floor {
  /** Strangers, put in one at a time, that are answered with nothing. */
  empty: number;
  /** Own posts that are answered with something. */
  answered: number;
}

const RESPECTING = {
  filters: {},
  excluded: new Set<string>(),
  sort: 'score',
  limit: 1,
  page: 1,
  respectEmpty: true,
} as const;

/** Whether anything is recommended below a post. */
const answers = (index: PostIndex, url: string) =>
  recommend(index, { ...RESPECTING, url }, Number.POSITIVE_INFINITY).length > 0;

/** How often a stranger among a site's own posts is answered with nothing, put in one at a time. */
export function rejectedOf(index: PostIndex, strangers: readonly IndexedPost[]): number {
  let empty = 0;
  for (const post of strangers) {
    index.put(post);
    if (!answers(index, post.url)) empty++;
    index.remove(post.url);
  }
  return empty / strangers.length;
}

const answeredOf = (index: PostIndex, posts: readonly IndexedPost[]) =>
  posts.filter(({ url }) => answers(index, url)).length / posts.length;

/** So many posts that follow one another in time, as a young site would have them. */
function youngSites({ posts }: NamedSet): IndexedPost[][] {
  const inTime = [...posts].sort((a, b) => (a.pubDate ?? 0) - (b.pubDate ?? 0));
  const step = Math.floor((posts.length - YOUNG) / (YOUNG_SITES - 1));
  return Array.from({ length: YOUNG_SITES }, (_, i) => inTime.slice(i * step, i * step + YOUNG));
}

/** The floor of a site as it is. */
export function floorOf({ posts }: NamedSet): Floor {
  return floorAmong(posts);
}

/** The mean floor of stretches of a site's history, each as long as a young site's. */
export function floorOfYoung(site: NamedSet): Floor {
  const floors = youngSites(site).map(floorAmong);
  return { empty: mean(floors.map(({ empty }) => empty)), answered: mean(floors.map(({ answered }) => answered)) };
}

function floorAmong(posts: readonly IndexedPost[]): Floor {
  const index = indexOf(posts);
  return { empty: rejectedOf(index, foreignPosts()), answered: answeredOf(index, posts) };
}
