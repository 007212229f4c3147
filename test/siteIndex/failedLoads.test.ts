// A site whose load fails each time, as for a damaged file: questions for it must not begin one load after another.
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const room = await openNewsroom({ now: Date.UTC(2030, 4, 17, 12) });
afterAll(() => room.close());

const question = { filters: {}, excluded: new Set<string>(), sort: 'score', limit: 10, page: 1 } as const;

test('it is loaded a second time at once, then after pauses, and answers again when the cause is gone', async () => {
  const { deps, site } = room;
  const [ferry, pier] = ['ferry', 'pier'].map((path) => `https://${site.id}/${path}`);
  for (const url of [ferry!, pier!]) await room.write(url, { title: 'The ferry', fullContent: 'Ferry and harbour.' });
  let loads = 0;
  let broken = true;
  const posts: typeof deps.store.posts = {
    ...deps.store.posts,
    stream(of) {
      loads++;
      if (broken) throw new Error('Checksum does not match');
      return deps.store.posts.stream(of);
    },
  };
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const library = createLibrary({ ...deps, store: { ...deps.store, posts }, log });
  const ask = () => library.recommend(site.id, { ...question, url: ferry!, respectEmpty: true });
  for (let asked = 0; asked < 50; asked++) {
    await expect(ask()).rejects.toThrow('Checksum does not match');
    // A view of the site is no reason either.
    library.pageOf(site.id, `${pier}?from=mail`);
    library.isPost(site.id, pier!);
  }
  expect(loads).toBeGreaterThan(1);
  // The first pause is a second; a slow machine may have been through it.
  expect(loads).toBeLessThan(5);
  expect(lines).toHaveLength(loads);
  broken = false;
  await until('it answers again', async () => (await ask().catch(() => [])).length === 1);
  await library.close();
});
