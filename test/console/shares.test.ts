// Links to one view of the console over HTTP: who makes one, and what it may ask.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import { DAY, json, make, open, openShareRoom, revoke, type ShareRoom, shareInput } from './shareRoom.ts';
import { ORIGIN, signIn } from './support.ts';

let shares: ShareRoom;
beforeAll(async () => {
  shares = await openShareRoom();
});
afterAll(() => shares.room.close());
beforeEach(() => shares.moveTo(shares.now + 400 * DAY));

describe('a link', () => {
  test('is made by who may act, opened without a secret, and shows its view and no more of the site', async () => {
    const { data } = await make(shares.editor, shareInput('?view=traffic&period=28d&section=World&unknown=x', 30));
    expect(data).toMatchObject({
      name: 'For the board',
      search: '?period=28d&section=World',
      until: new Date(shares.now + 30 * DAY).toISOString(),
      path: expect.stringMatching(/^share\/[\da-f]{12}\/#[\w-]{43}$/),
    });
    const guest = await open(shares.room.app, data.path!);
    expect(guest.body.data).toEqual({
      site: shares.room.site.id,
      timezone: 'Europe/Madrid',
      role: 'read',
      until: data.until,
      now: new Date(shares.now).toISOString(),
      token: '',
      shared: { name: 'For the board', search: '?period=28d&section=World' },
    });
    expect(await guest.ask('session')).toEqual(guest.body);
  });

  test('has a cookie of its own, out of reach of scripts and of other sites, until it ends', async () => {
    const { setCookie, path } = await shares.share(undefined, 2);
    expect(setCookie).toMatch(/^afterword_share=[\w-]{43}; Max-Age=172800; HttpOnly; SameSite=Strict$/);
    // Without a path it is for the folder of the link alone.
    expect(setCookie).not.toContain(path.split('#')[1]);
    expect((await open(shares.room.app, path, { 'X-Forwarded-Proto': 'https' })).setCookie).toMatch(/; Secure$/);
  });

  test('is nowhere in the database: a hash opens nothing', async () => {
    const { path, cookie, id } = await shares.share();
    const stored = JSON.stringify(await shares.room.deps.store.sharedViews.list(shares.room.site.id));
    expect(stored).toContain(id);
    for (const secret of [path.split('#')[1]!, cookie.split('=')[1]!, shares.room.writeSecret])
      expect(stored).not.toContain(secret);
  });

  test.each([{}, { token: 5 }, { token: 'cut' }])(
    'says that its address is not whole where it is asked %j',
    async (body) => {
      const { id } = await shares.share();
      const headers = { 'Content-Type': 'application/json' };
      const asked = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await json(shares.room.app.request(`${ORIGIN}/console/share/${id}/session`, asked));
      expect(answer).toMatchObject({ code: 422, errors: { token: ['The address of the link is not whole.'] } });
    },
  );

  test.each([
    [
      'who may only read',
      async () => signIn(shares.room.app, { site: shares.room.site.id, secret: shares.room.secret }),
    ],
    ['a link', async () => ({ ...shares.editor, send: (path: string, init?: RequestInit) => shareSend(path, init) })],
  ])('is not made by %s', async (_, who) => {
    const visitor = await who();
    expect(await make(visitor)).toMatchObject({ code: 403 });
    expect((await json(shares.editor.send('/console/shares'))).data).toEqual([]);
  });

  async function shareSend(path: string, init: RequestInit = {}) {
    const { cookie } = await open(shares.room.app, (await makeAndRevoke()).path);
    return await shares.room.app.request(ORIGIN + path, { ...init, headers: { ...init.headers, Cookie: cookie } });
  }
  const makeAndRevoke = async () => {
    const { data } = await make(shares.editor);
    await revoke(shares.editor, data.id as string);
    return { path: data.path ?? '' };
  };

  test('is not made by a forged request', async () => {
    expect(await make(shares.editor, shareInput(), 'x'.repeat(43))).toMatchObject({ code: 403 });
  });

  test.each([
    ['no name', { ...shareInput(), name: '  ' }, 'name'],
    ['a name that would move a terminal’s cursor', { ...shareInput(), name: 'a\u001b[2J' }, 'name'],
    ['a name that no database keeps', { ...shareInput(), name: 'Board \ud83d' }, 'name'],
    ['no end', { ...shareInput(), days: 0 }, 'days'],
    ['an end in years', { ...shareInput(), days: 366 }, 'days'],
    ['half a day', { ...shareInput(), days: 0.5 }, 'days'],
    ['a view that acts', { ...shareInput(), search: '?view=lists' }, 'search'],
    ['an endless address', { ...shareInput(), search: `?section=${'x'.repeat(9000)}` }, 'search'],
  ])('with %s is refused, and says why', async (_, body, field) => {
    const refused = await make(shares.editor, body);
    expect(refused.code).toBe(422);
    expect(Object.keys(refused.errors ?? {})).toEqual([field]);
  });
});

describe('what a link may ask', () => {
  const series = (metrics: string) => `api/v2/analytics/series?interval=day&metrics=${metrics}`;

  test('is what its view asks', async () => {
    const traffic = await shares.share('?period=7d&section=World&tag=x');
    const narrowed = `${shares.week()}&section=World&tag=x`;
    for (const name of ['posts', 'sections', 'authors', 'tags', 'referrers', 'channels', 'campaigns', 'segments'])
      expect([
        name,
        await traffic.ask(`api/v2/analytics/${name}?sort=views&metrics=views&limit=2000&${narrowed}`),
      ]).toMatchObject([name, { success: true }]);
    for (const metrics of ['views,visitors,engaged_minutes,avg_engaged', 'desktop_views,mobile_views,tablet_views'])
      expect(await traffic.ask(`${series(metrics)}&compare=previous&totals=1&${narrowed}`)).toMatchObject({
        success: true,
      });
    const screen = await shares.share('?view=now&section=World');
    expect(await screen.ask('api/v2/analytics/now?posts=15&section=World')).toMatchObject({ success: true });
    const dated = await shares.share(`?period=own&from=${shares.dayBefore(9)}&to=${shares.dayBefore(3)}`);
    const period = `period_start=${shares.dayBefore(9)}&period_end=${shares.dayBefore(3)}`;
    expect(await dated.ask(shares.posts(period))).toMatchObject({ success: true });
  });

  test.each([
    ['a longer period', () => shares.posts(`period_start=${shares.dayBefore(7)}`)],
    ['a period with another end', () => shares.posts(`${shares.week()}&period_end=${shares.dayBefore(1)}`)],
    ['two periods', () => shares.posts(`${shares.week()}&${shares.week()}`)],
    ['the default period', () => shares.posts('')],
    ['without its filter', () => shares.posts(`${shares.week()}`)],
    ['another section', () => shares.posts(`${shares.week()}&section=Sports`)],
    ['a second section', () => shares.posts(`${shares.week()}&section=World&section=Sports`)],
    ['one more filter', () => shares.posts(`${shares.week()}&section=World&author=Ann`)],
    ['another site', () => shares.posts(`${shares.week()}&section=World&apikey=other.example`)],
    ['with a secret', () => shares.posts(`${shares.week()}&section=World&secret=x`)],
    ['days by another name', () => shares.posts(`${shares.week()}&section=World&days=30`)],
    ['a script', () => shares.posts(`${shares.week()}&section=World&callback=steal`)],
    [
      'metrics of lists, which its view does not show',
      () => `${series('views,clicks')}&${shares.week()}&section=World`,
    ],
    [
      'an order by what its view does not show',
      () => `${shares.posts(`${shares.week()}&section=World`)}&sort=social_referrals`,
    ],
    ['another view', () => 'api/v2/analytics/now?posts=15'],
  ])('is not %s', async (_, asked) => {
    const guest = await shares.share('?period=7d&section=World');
    const answer = await guest.ask(asked());
    expect(answer).toMatchObject({ success: false, code: 403 });
  });

  test.each([
    '/console/api/v2/analytics/posts',
    '/console/session',
    '/console/shares',
    '/console/api/v2/exclude/list',
    '/v2/analytics/posts?apikey=paper.example',
  ])('is not %s: the folder of a link is all that it opens', async (path) => {
    const { cookie } = await shares.share();
    for (const sent of [cookie, cookie.replace('afterword_share', 'afterword_console')]) {
      const answer = await shares.room.app.request(ORIGIN + path, { headers: { Cookie: sent } });
      expect(await json(answer)).toMatchObject({ success: false, code: 403 });
    }
  });

  test('changes nothing: no acting endpoint is below it', async () => {
    const guest = await shares.share();
    for (const path of ['exclude/ignore?url=https://x/', 'experiments', 'settings', 'crawl', 'metadata/posts'])
      for (const method of ['POST', 'GET', 'PUT', 'DELETE']) {
        const headers = { 'Afterword-Token': guest.cookie };
        expect([path, method, await guest.ask(`api/v2/${path}`, { method, headers })]).toMatchObject([
          path,
          method,
          { success: false, code: 404 },
        ]);
      }
  });

  test('is of its own site: a link to one site opens nothing below a link to another', async () => {
    const secret = 'other-write';
    const other = {
      ...shares.room.site,
      id: `other-${shares.now}.example` as Site['id'],
      writeSecretHash: hashSecret(secret),
    };
    await shares.room.deps.sites.add(other);
    const stranger = await signIn(shares.room.app, { site: other.id, secret });
    const theirs = await open(shares.room.app, (await make(stranger)).data.path!);
    expect(theirs.body.data.site).toBe(other.id);
    const mine = await shares.share();
    const crossed = await shares.room.app.request(`${ORIGIN}/console/share/${mine.id}/session`, {
      headers: { Cookie: theirs.cookie },
    });
    expect(await json(crossed)).toMatchObject({ code: 403 });
    expect((await json(shares.editor.send('/console/shares'))).data.map(({ id }) => id)).not.toContain(theirs.id);
    expect(await revoke(shares.editor, theirs.id)).toMatchObject({ success: false, code: 404 });
    expect(await theirs.ask('session')).toMatchObject({ success: true });
  });
});
