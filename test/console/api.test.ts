// The API below the console: the same answers as with the site's secret, for the site of the session and no other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';
import { signIn, type Visitor } from './support.ts';

let room: Newsroom;
let reader: Visitor;
/** Signed in to another site, which has no traffic. */
let stranger: Visitor;
let away = false;

beforeAll(async () => {
  room = await openSmallPaper();
  const other = { ...room.site, id: 'other.example' as Site['id'], secretHash: hashSecret('other') };
  await room.deps.sites.add(other);
  const { traffic } = room.deps.store;
  const failing: typeof traffic = {
    ...traffic,
    run: (...asked) =>
      away ? Promise.reject(new StoreUnavailableError('The database is away.')) : traffic.run(...asked),
  };
  const app = createApp({ ...room.deps, store: { ...room.deps.store, traffic: failing } });
  reader = await signIn(app, { site: room.site.id, secret: room.secret });
  stranger = await signIn(app, { site: other.id, secret: 'other' });
});
afterAll(() => room.close());

interface Answer {
  success: boolean;
  code?: number;
  data: object[];
  links: { next: string | null };
}

const ask = async (who: Visitor, target: string) => (await (await who.send(`/console/api${target}`)).json()) as Answer;

const withSecret = async (target: string) =>
  (await (
    await room.app.request(
      `http://stats.example${target}${target.includes('?') ? '&' : '?'}apikey=${room.site.id}&secret=${room.secret}`,
    )
  ).json()) as Answer;

const TARGETS = [
  '/v2/analytics/posts?period_start=7d&metrics=visitors,engaged_minutes',
  '/v2/analytics/authors',
  '/v2/analytics/sections?tag=x',
  '/v2/analytics/tags?author=Bob',
  '/v2/analytics/referrers?sort=visitors',
  '/v2/analytics/channels?section=World',
  '/v2/analytics/campaigns?referrer=google',
  '/v2/analytics/segments?campaign_id=c1',
  '/v2/analytics/series?interval=hour&period_start=24h&metrics=views,visitors&compare=previous&totals=1',
  '/v2/analytics/now?posts=5&section=World',
  '/v2/analytics/setup',
  `/v2/analytics/post/detail?url=${encodeURIComponent(A)}`,
  '/v2/analytics/author/Ann/detail',
  '/v2/realtime/posts?time=3h',
  '/v2/referrers/search',
  '/v2/shares/posts',
  '/v2/conversions/url/top',
  '/v2/lists?period_start=3d',
  '/v2/experiments',
  '/v2/headlines',
  '/v2/settings',
  '/v2/frontier',
  `/v2/related?url=${encodeURIComponent(A)}`,
  '/v2/top/posts',
  '/v2/search?q=a',
  '/v2/exclude/list',
  '/v2/search?q=B',
  `/v2/related?url=${encodeURIComponent(A)}&explain=1`,
  '/v2/top/posts?days=7',
  `/v2/analytics/post/growth?url=${encodeURIComponent(A)}`,
  `/v2/analytics/post/next?url=${encodeURIComponent(A)}&period_start=7d`,
  `/v2/metadata/post?url=${encodeURIComponent(A)}`,
  `/v2/analytics/authors?post=${encodeURIComponent(A)}`,
  '/v2/analytics/posts?period_start=nonsense',
];

test.each(TARGETS)('%s answers what it answers to the secret, but for the links', async (target) => {
  const [{ links: _, ...here }, { links: __, ...there }] = [await ask(reader, target), await withSecret(target)];
  expect(here).toEqual(there);
});

test('nothing but the page itself keeps an answer, though it be public elsewhere', async () => {
  for (const target of TARGETS) {
    const { headers } = await reader.send(`/console/api${target}`);
    expect([target, headers.get('Cache-Control'), headers.get('ETag')]).toEqual([target, 'private, no-store', null]);
  }
});

test('links stay below the console and carry no secret', async () => {
  const { links } = await ask(reader, '/v2/analytics/posts?limit=1');
  expect(links.next).toMatch(/^http:\/\/stats\.example\/console\/api\/v2\/analytics\/posts\?/);
  expect(links.next).not.toContain('secret');
});

test('only the site of the session is answered, whatever site and secret the query names', async () => {
  for (const target of TARGETS.slice(0, 8)) {
    const named = `${target}${target.includes('?') ? '&' : '?'}apikey=${room.site.id}&secret=${room.secret}`;
    expect([target, (await ask(stranger, named)).data]).toEqual([target, []]);
  }
});

test('what is answered while the database is away is the own list, never that of another site', async () => {
  const target = '/v2/analytics/posts?period_start=6d';
  const [own, others] = [await ask(reader, target), await ask(stranger, target)];
  away = true;
  try {
    expect((await ask(stranger, target)).data).toEqual(others.data);
    expect((await ask(reader, target)).data).toEqual(own.data);
    expect(own.data).not.toEqual(others.data);
    expect((await ask(stranger, '/v2/analytics/posts?period_start=5d')).code).toBe(503);
  } finally {
    away = false;
  }
});

test.each(['/v2/exclude/ignore', '/v2/exclude/include'])(
  '%s is not for GET: an address that is opened changes nothing',
  async (path) => {
    const answer = await reader.send(`/console/api${path}?url=${encodeURIComponent(A)}`);
    // It takes changes by POST alone.
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    expect((await withSecret('/v2/exclude/list')).data).toEqual([]);
  },
);

describe('what changes something', () => {
  const ignore = `/console/api/v2/exclude/ignore?url=${encodeURIComponent(A)}`;
  const hidden = async () => (await withSecret('/v2/exclude/list')).data;
  const post = async (who: Visitor, token: string) => {
    const answer = await who.send(ignore, { method: 'POST', headers: { 'Afterword-Token': token } });
    return (await answer.json()) as Answer;
  };

  test('is refused to a session that may read, and without the token of the session', async () => {
    const editor = await signIn(room.app, { site: room.site.id, secret: room.writeSecret });
    for (const [who, token] of [
      [reader, reader.token],
      [editor, ''],
      [editor, reader.token],
    ] as const)
      expect(await post(who, token)).toMatchObject({ code: 403 });
    expect(await hidden()).toEqual([]);
  });

  test('is done for a session that may act, with its token', async () => {
    const editor = await signIn(room.app, { site: room.site.id, secret: room.writeSecret });
    expect(await post(editor, editor.token)).toMatchObject({ success: true });
    expect(await hidden()).toEqual([A]);
    await withSecret(`/v2/exclude/include?url=${encodeURIComponent(A)}`);
  });

  test('that has a body is read as at its own address', async () => {
    const editor = await signIn(room.app, { site: room.site.id, secret: room.writeSecret });
    const answer = await editor.send('/console/api/v2/experiments', {
      method: 'POST',
      headers: { 'Afterword-Token': editor.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ stop: 'never-started' }),
    });
    expect(await answer.json()).toMatchObject({ success: false, code: 422 });
  });
});

test('without a session nothing is answered, although the query has the secret', async () => {
  for (const target of TARGETS) {
    const path = `/console/api${target}${target.includes('?') ? '&' : '?'}apikey=${room.site.id}&secret=${room.secret}`;
    const answer = await room.app.request(`http://stats.example${path}`);
    expect([target, await answer.json()]).toMatchObject([target, { code: 403 }]);
  }
});
