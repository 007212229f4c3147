// Posts are imported while the server writes the same ones: pages that are read, metadata that publishers send.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchReport, transferAdmin } from '../../server/cli/admin/transfer.ts';
import { createStoredBatches } from '../../server/cli/transfer/storedBatch.ts';
import { withDeadline } from '../../server/deadline.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 4, 17, 12) });
});
afterAll(() => room.close());

/** Longer than a write takes that nothing holds back. */
const WRITE_MS = 3_000;

test('a page that is read while its post is imported keeps its text, and the post what the file says', async () => {
  const { deps, site } = room;
  const library = createLibrary(deps);
  const url = `https://${site.id}/harbour`;
  let reading: Promise<unknown> = Promise.resolve();
  const posts: typeof deps.store.posts = {
    ...deps.store.posts,
    async get(...asked) {
      const found = await deps.store.posts.get(...asked);
      reading = library.write(site.id, url, { patch: { fullContent: 'The text of the page.' }, by: 'page' });
      await withDeadline(reading, WRITE_MS, () => undefined);
      return found;
    },
  };
  const admin = transferAdmin({
    ...deps,
    store: { ...deps.store, posts },
    library,
    batches: createStoredBatches(''),
    quotas: { posts: { room: async () => Number.POSITIVE_INFINITY, added: () => {} } },
  });
  const lines = [{ canonical_url: url, title: 'The harbour', tags: ['town'] }];
  const body = JSON.stringify({ lines, token: 'one' });
  const answer = await admin.request(`/sites/${site.id}/posts`, { method: 'POST', body });
  expect((await answer.json()) as BatchReport).toEqual({ outcomes: ['stored'] });
  await reading;
  await library.close();
  expect(await library.get(site.id, [url])).toMatchObject([
    { title: 'The harbour', tags: ['town'], fullContent: 'The text of the page.' },
  ]);
});
