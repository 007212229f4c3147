// GET /history of a site whose index is not in memory: what is asked of the database does not grow with each page read.
import { expect, test, vi } from 'vitest';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { openNewsroom } from '../support/newsroom.ts';

test('the pages of a profile are looked up together, each as its post, and in their order', async () => {
  const room = await openNewsroom({ now: Date.parse('2040-03-20T12:00:00Z') });
  try {
    const { library, store } = room.deps;
    const page = (name: string) => `https://paper.example/${name}`;
    await room.write(page('moved'), { title: 'Moved' }, [page('former')]);
    await room.write(page('known'), { title: 'Known' });
    const read = [
      ...Array.from({ length: 15 }, (_, n) => page(`unknown-${n}`)),
      page('former'),
      `${page('known')}?x=1`,
    ];
    for (const [n, url] of read.entries()) {
      room.setNow(room.deps.now() + n + 1);
      await room.ask('/profile', { uuid: 'reader', url });
    }
    (library as LoadedLibrary).forget(room.site.id);
    expect(library.isLoaded(room.site.id)).toBe(false);
    const asked = [vi.spyOn(store.posts, 'get'), vi.spyOn(store.posts, 'aliases')];
    const { data } = await room.ask('/history', { uuid: 'reader' });
    expect(data).toMatchObject({ urls: [page('known'), page('moved'), ...read.slice(0, 15).reverse()] });
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  } finally {
    await room.close();
  }
});
