// The posts published next to one, before or after it: what a ranking has to beat on a site of release notes.
import type { Ranker } from '../../server/evaluation/baselines.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

export function nearestInTime(posts: readonly IndexedPost[]): Ranker {
  const dates = new Map(posts.map(({ url, pubDate }) => [url, pubDate ?? 0]));
  return (url, most) => {
    const days = (other: string) => Math.abs(dates.get(other)! - dates.get(url)!);
    const others = [...dates.keys()].filter((other) => other !== url);
    return others.sort((a, b) => days(a) - days(b)).slice(0, most);
  };
}
