// GET and POST /v2/settings: the dials of a site's related posts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.parse('2040-03-20T16:30:00Z') });
});
afterAll(() => room.close());

const NONE = { mix: null, freshness: null, diversity: null, popularity: null };

const post = async (body: object, secret = room.writeSecret) =>
  (await (
    await room.app.request('http://stats.example/v2/settings', {
      method: 'POST',
      body: JSON.stringify({ apikey: room.site.id, secret, ...body }),
    })
  ).json()) as Record<string, unknown>;

const dials = async () => (await room.ask('/settings')).data;

test('dials are changed one by one, null is the default again, and a dry run changes nothing', async () => {
  expect(await dials()).toEqual([{ dials: NONE }]);
  const changed = [{ dials: { ...NONE, mix: 0.4, freshness: 0 } }];
  expect(await post({ dials: { mix: 0.4, freshness: 0 }, dry_run: true })).toEqual({ data: changed, success: true });
  expect(await dials()).toEqual([{ dials: NONE }]);
  expect(await post({ dials: { mix: 0.4, freshness: 0 } })).toEqual({ data: changed, success: true });
  expect(await dials()).toEqual(changed);
  expect(room.deps.sites.find(room.site.id)?.dials).toEqual({ mix: 0.4, freshness: 0 });
  await post({ dials: { mix: null, freshness: null } });
  expect(await dials()).toEqual([{ dials: NONE }]);
  expect(room.deps.sites.find(room.site.id)).not.toHaveProperty('dials');
});

test.each([
  [{ dials: { mix: 1.1 } }, 'dials.mix'],
  [{ dials: { mix: -1 } }, 'dials.mix'],
  [{ dials: { mix: '0.5' } }, 'dials.mix'],
  [{ dials: { speed: 1 } }, 'dials'],
  [{ dials: [] }, 'dials'],
  [{}, 'dials'],
  [{ dials: { mix: 0.5 }, dry_run: 'yes' }, 'dry_run'],
])('%j is refused, and nothing changes', async (body, field) => {
  const answer = await post(body);
  expect(answer).toMatchObject({ code: 422, success: false });
  expect(Object.keys(answer.errors as object)).toEqual([field]);
  expect(await dials()).toEqual([{ dials: NONE }]);
});

test('a change with the read secret, or with none, is refused', async () => {
  for (const secret of [room.secret, ''])
    expect(await post({ dials: { mix: 1 } }, secret)).toEqual({ code: 403, message: 'Forbidden', success: false });
  expect(await dials()).toEqual([{ dials: NONE }]);
});
