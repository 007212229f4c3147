// Videos by hand: starts, who started them, and for how long they were watched.
import type { Post } from '../../../server/posts/post.ts';
import type { World } from '../worlds.ts';
import { canonicalOf, type NaiveRecord } from './countNaively.ts';
import { compareBytes, decimals } from './naiveMetrics.ts';

export const VIDEO_SORTS = ['starts', 'viewers', 'watch_minutes'] as const;

export interface NaiveVideoQuestion {
  period: { start: number; end: number };
  sort: (typeof VIDEO_SORTS)[number];
  /** Conditions on the video. */
  video?: (video: Post) => boolean;
}

export function countVideos(world: World, { period, sort, video = () => true }: NaiveVideoQuestion): NaiveRecord[] {
  const videos = world.posts.filter(
    (post) => post.pageType === 'video' && !world.excluded.has(post.url) && video(post),
  );
  return videos
    .map(({ url }) => {
      const events = world.events.filter(
        (event) =>
          event.video !== '' &&
          canonicalOf(world, event.video) === url &&
          event.time >= period.start &&
          event.time <= period.end,
      );
      const starts = events.filter(({ action }) => action === 'videostart');
      const viewers = new Set(starts.map(({ visitor }) => visitor).filter((visitor) => visitor !== '0')).size;
      const seconds = events
        .filter(({ action }) => action === 'vheartbeat')
        .reduce((sum, event) => sum + event.seconds, 0);
      return { name: url, starts: starts.length, viewers, seconds };
    })
    .filter(({ starts, seconds }) => starts > 0 || seconds > 0)
    .sort((a, b) => {
      const by = sort === 'watch_minutes' ? 'seconds' : sort;
      return b[by] - a[by] || compareBytes(a.name, b.name);
    })
    .map(({ name, starts, viewers, seconds }) => ({
      name,
      hits: starts,
      metrics: { starts, viewers, watch_minutes: decimals(seconds / 60, 3) },
    }));
}
