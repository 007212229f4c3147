// Requests that fail for a reason that stays, such as a damaged file of the database: every reader meets it, and the log
// must not fill the disk.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { MINUTE } from '../../server/durations.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2030, 0, 10, 12);

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room?.close());

test('each failure of a route is one line, then one a minute that says how many there were', async () => {
  const { deps, site, secret } = room;
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const run = async () => {
    throw new Error('Unknown codec family code: 0');
  };
  const store = { ...deps.store, traffic: { ...deps.store.traffic, run } };
  const app = createApp({ ...deps, log, store });
  const ask = async (path: string) => (await app.request(`/v2${path}?apikey=${site.id}&secret=${secret}`)).status;
  for (let asked = 0; asked < 20; asked++)
    expect([await ask('/analytics/posts'), await ask('/analytics/authors')]).toEqual([500, 500]);
  const failed = () => lines.filter(({ msg }) => msg === 'request failed');
  expect(failed()).toMatchObject([
    { path: '/v2/analytics/posts', err: { message: 'Unknown codec family code: 0' } },
    { path: '/v2/analytics/authors', err: { message: 'Unknown codec family code: 0' } },
  ]);
  room.setNow(NOW + MINUTE);
  expect(await ask('/analytics/posts')).toBe(500);
  expect(failed().slice(2)).toMatchObject([{ path: '/v2/analytics/posts', requestId: expect.any(String), more: 19 }]);
});
