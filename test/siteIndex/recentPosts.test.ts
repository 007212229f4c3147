// Lists of the newest posts, for sites whose index is not in memory: what is kept of them, and for how long.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import type { PostCard } from '../../server/posts/post.ts';
import { createRecentPosts } from '../../server/siteIndex/recentPosts.ts';
import { parseSiteId } from '../../server/sites/site.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const site = parseSiteId('cold.example')!;
const asking = (section: string) => ({
  ...{ filters: { sections: [section] }, excluded: new Set<string>(), hidden: [] },
  ...{ limit: 500, page: 1, respectEmpty: false },
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a list is released when its seconds are over, whether or not another one is asked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const made: WeakRef<PostCard[]>[] = [];
  const recent = createRecentPosts({
    now: () => 0,
    posts: {
      async recent() {
        const list = [{ url: 'https://cold.example/a' }] as PostCard[];
        made.push(new WeakRef(list));
        return list;
      },
    },
  });
  for (const section of ['Sea', 'Land', 'Sea']) expect(await recent(site, asking(section))).toHaveLength(1);
  expect(made).toHaveLength(2);
  clock.mockReturnValue(7_000);
  vi.advanceTimersByTime(6_000);
  vi.useRealTimers();
  await turn();
  collect();
  expect(made.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  expect(await recent(site, asking('Sea'))).toHaveLength(1);
});
