// Links to one view of the console over HTTP: who makes one, what it may ask, and how it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createAdmin } from '../../server/cli/admin.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { ORIGIN, signIn, type Visitor } from './support.ts';

const DAY = 86_400_000;

let room: Newsroom;
let now = Date.UTC(2030, 0, 10, 12);
let editor: Visitor;

beforeAll(async () => {
  room = await openNewsroom({ now, timezone: 'Europe/Madrid' });
});
afterAll(() => room.close());
beforeEach(async () => {
  // Later in each test, since the newest word on a site counts.
  now += 400 * DAY;
  room.setNow(now);
  await room.deps.sites.replace(room.site);
  editor = await signIn(room.app, { site: room.site.id, secret: room.writeSecret });
});

interface Body {
  success?: boolean;
  code?: number;
  errors?: Record<string, string[]>;
  data: { id: string; path: string; name: string; search: string; until: string; site: string; shared: object }[] &
    Record<string, string>;
}

const json = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

const wish = (search = '?period=7d', days = 7, name = 'For the board') => ({ name, days, search });

const make = (who: Visitor, body: object = wish(), token = who.token) =>
  json(
    who.send('/console/shares', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Afterword-Token': token },
      body: JSON.stringify(body),
    }),
  );

const revoke = (who: Visitor, id: string) =>
  json(who.send(`/console/shares/${id}`, { method: 'DELETE', headers: { 'X-Afterword-Token': who.token } }));

interface Guest {
  id: string;
  cookie: string;
  setCookie: string;
  body: Body;
  /** Asks with the cookie, below the folder of the link. */
  ask(path: string, init?: RequestInit, app?: Newsroom['app']): Promise<Body>;
}

/** Does what the page of a link does with its address. */
async function open(path: string, app = room.app, headers: Record<string, string> = {}): Promise<Guest> {
  const [folder = '', token = ''] = path.split('#');
  const id = folder.split('/')[1]!;
  const answer = await app.request(`${ORIGIN}/console/${folder}session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
  const setCookie = answer.headers.get('Set-Cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  return {
    id,
    cookie,
    setCookie,
    body: await json(answer),
    ask: (below, init = {}, elsewhere = app) =>
      json(
        elsewhere.request(`${ORIGIN}/console/${folder}${below}`, {
          ...init,
          headers: { ...(cookie && { Cookie: cookie }), ...init.headers },
        }),
      ),
  };
}

/** Makes a link and opens it. */
const share = async (search?: string, days?: number): Promise<Guest & { path: string }> => {
  const { path = '' } = (await make(editor, wish(search, days))).data;
  return { path, ...(await open(path)) };
};

const dayBefore = (days: number) => new Date(now - days * DAY).toISOString().slice(0, 10);
/** What the page asks for seven days. */
const week = () => `period_start=${dayBefore(6)}`;
const posts = (query = week()) => `api/v2/analytics/posts?sort=views&metrics=views&limit=10&${query}`;

describe('a link', () => {
  test('is made by who may act, opened without a secret, and shows its view and no more of the site', async () => {
    const { data } = await make(editor, wish('?view=traffic&period=28d&section=World&unknown=x', 30));
    expect(data).toMatchObject({
      name: 'For the board',
      search: '?period=28d&section=World',
      until: new Date(now + 30 * DAY).toISOString(),
      path: expect.stringMatching(/^share\/[\da-f]{12}\/#[\w-]{43}$/),
    });
    const guest = await open(data.path!);
    expect(guest.body.data).toEqual({
      site: room.site.id,
      timezone: 'Europe/Madrid',
      role: 'read',
      until: data.until,
      now: new Date(now).toISOString(),
      token: '',
      shared: { name: 'For the board', search: '?period=28d&section=World' },
    });
    expect(await guest.ask('session')).toEqual(guest.body);
  });

  test('has a cookie of its own, out of reach of scripts and of other sites, until it ends', async () => {
    const { setCookie, path } = await share(undefined, 2);
    expect(setCookie).toMatch(/^afterword_share=[\w-]{43}; Max-Age=172800; HttpOnly; SameSite=Strict$/);
    // Without a path it is for the folder of the link alone.
    expect(setCookie).not.toContain(path.split('#')[1]);
    expect((await open(path, room.app, { 'X-Forwarded-Proto': 'https' })).setCookie).toMatch(/; Secure$/);
  });

  test('is nowhere in the database: a hash opens nothing', async () => {
    const { path, cookie, id } = await share();
    const stored = JSON.stringify(await room.deps.store.sharedViews.list(room.site.id));
    expect(stored).toContain(id);
    for (const secret of [path.split('#')[1]!, cookie.split('=')[1]!, room.writeSecret])
      expect(stored).not.toContain(secret);
  });

  test.each([
    ['who may only read', async () => signIn(room.app, { site: room.site.id, secret: room.secret })],
    ['a link', async () => ({ ...editor, send: (path: string, init?: RequestInit) => shareSend(path, init) })],
  ])('is not made by %s', async (_, who) => {
    const visitor = await who();
    expect(await make(visitor)).toMatchObject({ code: 403 });
    expect((await json(editor.send('/console/shares'))).data).toEqual([]);
  });

  async function shareSend(path: string, init: RequestInit = {}) {
    const { cookie } = await open((await makeAndRevoke()).path);
    return await room.app.request(ORIGIN + path, { ...init, headers: { ...init.headers, Cookie: cookie } });
  }
  const makeAndRevoke = async () => {
    const { data } = await make(editor);
    await revoke(editor, data.id as string);
    return { path: data.path ?? '' };
  };

  test('is not made by a forged request', async () => {
    expect(await make(editor, wish(), 'x'.repeat(43))).toMatchObject({ code: 403 });
  });

  test.each([
    ['no name', { ...wish(), name: '  ' }, 'name'],
    ['a name that would move a terminal’s cursor', { ...wish(), name: 'a\u001b[2J' }, 'name'],
    ['no end', { ...wish(), days: 0 }, 'days'],
    ['an end in years', { ...wish(), days: 366 }, 'days'],
    ['half a day', { ...wish(), days: 0.5 }, 'days'],
    ['a view that acts', { ...wish(), search: '?view=lists' }, 'search'],
    ['an endless address', { ...wish(), search: `?section=${'x'.repeat(9000)}` }, 'search'],
  ])('with %s is refused, and says why', async (_, body, field) => {
    const refused = await make(editor, body);
    expect(refused.code).toBe(422);
    expect(Object.keys(refused.errors ?? {})).toEqual([field]);
  });
});

describe('what a link may ask', () => {
  test('is what its view asks', async () => {
    const traffic = await share('?period=7d&section=World&tag=x');
    const narrowed = `${week()}&section=World&tag=x`;
    for (const name of ['posts', 'sections', 'authors', 'tags', 'referrers', 'channels', 'campaigns', 'segments'])
      expect([
        name,
        await traffic.ask(`api/v2/analytics/${name}?sort=views&metrics=views&limit=2000&${narrowed}`),
      ]).toMatchObject([name, { success: true }]);
    const series = 'interval=day&metrics=views&compare=previous&totals=1';
    expect(await traffic.ask(`api/v2/analytics/series?${series}&${narrowed}`)).toMatchObject({ success: true });
    const screen = await share('?view=now&section=World');
    expect(await screen.ask('api/v2/analytics/now?posts=15&section=World')).toMatchObject({ success: true });
    const dated = await share(`?period=own&from=${dayBefore(9)}&to=${dayBefore(3)}`);
    const period = `period_start=${dayBefore(9)}&period_end=${dayBefore(3)}`;
    expect(await dated.ask(posts(period))).toMatchObject({ success: true });
  });

  test.each([
    ['a longer period', () => posts(`period_start=${dayBefore(7)}`)],
    ['a period with another end', () => posts(`${week()}&period_end=${dayBefore(1)}`)],
    ['two periods', () => posts(`${week()}&${week()}`)],
    ['the default period', () => posts('')],
    ['without its filter', () => posts(`${week()}`)],
    ['another section', () => posts(`${week()}&section=Sports`)],
    ['a second section', () => posts(`${week()}&section=World&section=Sports`)],
    ['one more filter', () => posts(`${week()}&section=World&author=Ann`)],
    ['another site', () => posts(`${week()}&section=World&apikey=other.example`)],
    ['with a secret', () => posts(`${week()}&section=World&secret=x`)],
    ['days by another name', () => posts(`${week()}&section=World&days=30`)],
    ['a script', () => posts(`${week()}&section=World&callback=steal`)],
    ['another view', () => 'api/v2/analytics/now?posts=15'],
  ])('is not %s', async (_, asked) => {
    const guest = await share('?period=7d&section=World');
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
    const { cookie } = await share();
    for (const sent of [cookie, cookie.replace('afterword_share', 'afterword_console')]) {
      const answer = await room.app.request(ORIGIN + path, { headers: { Cookie: sent } });
      expect(await json(answer)).toMatchObject({ success: false, code: 403 });
    }
  });

  test('changes nothing: no acting endpoint is below it', async () => {
    const guest = await share();
    for (const path of ['exclude/ignore?url=https://x/', 'experiments', 'settings', 'crawl', 'metadata/posts'])
      for (const method of ['POST', 'GET', 'PUT', 'DELETE']) {
        const headers = { 'X-Afterword-Token': guest.cookie };
        expect([path, method, await guest.ask(`api/v2/${path}`, { method, headers })]).toMatchObject([
          path,
          method,
          { success: false, code: 404 },
        ]);
      }
  });

  test('is of its own site: a link to one site opens nothing below a link to another', async () => {
    const secret = 'other-write';
    const other = { ...room.site, id: `other-${now}.example` as Site['id'], writeSecretHash: hashSecret(secret) };
    await room.deps.sites.add(other);
    const stranger = await signIn(room.app, { site: other.id, secret });
    const theirs = await open((await make(stranger)).data.path!);
    expect(theirs.body.data.site).toBe(other.id);
    const mine = await share();
    const crossed = await room.app.request(`${ORIGIN}/console/share/${mine.id}/session`, {
      headers: { Cookie: theirs.cookie },
    });
    expect(await json(crossed)).toMatchObject({ code: 403 });
    expect((await json(editor.send('/console/shares'))).data.map(({ id }) => id)).not.toContain(theirs.id);
    expect(await revoke(editor, theirs.id)).toMatchObject({ success: false, code: 404 });
    expect(await theirs.ask('session')).toMatchObject({ success: true });
  });
});

describe('a link ends', () => {
  const isOpen = async (guest: Guest, path = '') => {
    const [asked, state, again] = [await guest.ask(posts()), await guest.ask('session'), path && (await open(path))];
    return [asked, state, ...(again ? [again.body] : [])].map(({ code = 200 }) => code);
  };

  test('when it is revoked, at once, for who has it open and for who stole its address', async () => {
    const guest = await share();
    expect(await isOpen(guest, guest.path)).toEqual([200, 200, 200]);
    expect(await revoke(editor, guest.id)).toMatchObject({ success: true });
    expect(await isOpen(guest, guest.path)).toEqual([403, 403, 403]);
    expect((await json(editor.send('/console/shares'))).data.map(({ id }) => id)).not.toContain(guest.id);
    expect(await revoke(editor, guest.id)).toMatchObject({ code: 404 });
  });

  test('when the command line revokes it, at once', async () => {
    const admin = createAdmin(room.deps as never);
    const guest = await share();
    const listed = await (await admin.request(`/sites/${room.site.id}/shares`)).json();
    expect(listed).toContainEqual(expect.objectContaining({ id: guest.id, name: 'For the board' }));
    expect(await isOpen(guest)).toEqual([200, 200]);
    const revoked = await admin.request(`/sites/${room.site.id}/shares/${guest.id}`, { method: 'DELETE' });
    expect(await revoked.json()).toEqual({ id: guest.id, name: 'For the board' });
    expect(await isOpen(guest)).toEqual([403, 403]);
    const unknown = await admin.request(`/sites/${room.site.id}/shares/${guest.id}`, { method: 'DELETE' });
    expect([unknown.status, await unknown.text()]).toEqual([422, expect.stringContaining('share list')]);
  });

  test('on another copy of the server within seconds', async () => {
    const copy = createApp(room.deps);
    const { sharedViews } = room.deps.store;
    const other = createApp({
      ...room.deps,
      store: { ...room.deps.store, sharedViews: { ...sharedViews, revoked: () => 0 } },
    });
    const guest = await share();
    expect(await guest.ask('session', {}, other)).toMatchObject({ success: true });
    await revoke(editor, guest.id);
    expect(await guest.ask('session', {}, copy)).toMatchObject({ code: 403 });
    room.setNow(now + 5_000);
    expect(await guest.ask('session', {}, other)).toMatchObject({ code: 403 });
  });

  test('at its time', async () => {
    const guest = await share('?period=own&from=2030-01-01&to=2030-01-07', 1);
    const asked = posts('period_start=2030-01-01&period_end=2030-01-07');
    room.setNow(now + DAY - 1);
    expect((await guest.ask(asked)).success).toBe(true);
    room.setNow(now + DAY);
    expect(await guest.ask(asked)).toMatchObject({ code: 403 });
    expect((await open(guest.path)).body).toMatchObject({ code: 403 });
    room.setNow(now);
  });

  test('with the write secret that it was made with, and not with the read secret', async () => {
    const guest = await share();
    await room.deps.sites.replace({ ...room.site, secretHash: hashSecret('another') });
    expect(await isOpen(guest, guest.path)).toEqual([200, 200, 200]);
    await room.deps.sites.replace({ ...room.site, writeSecretHash: hashSecret('another') });
    expect(await isOpen(guest, guest.path)).toEqual([403, 403, 403]);
  });
});

test('an address that was guessed or cut opens nothing, and guesses are soon refused unread', async () => {
  const { path, id } = await share();
  expect((await open(path.slice(0, -1))).body).toMatchObject({ code: 422 });
  const codes = new Set<number | undefined>();
  for (let time = 0; time < 12; time++) codes.add((await open(`share/${id}/#${'x'.repeat(43)}`)).body.code);
  expect([...codes]).toEqual([403, 429]);
});

test('a page of another site cannot open a link in the name of its reader', async () => {
  const { path } = await share();
  for (const from of ['cross-site', 'same-site']) {
    const { body, setCookie } = await open(path, room.app, { 'Sec-Fetch-Site': from });
    expect([body.code, setCookie]).toEqual([403, '']);
  }
});

test('a site has a bounded number of links', async () => {
  const { id } = room.site;
  const about = { site: id, name: 'x', search: '', secretHash: hashSecret(room.writeSecret), createdAt: now };
  for (let at = 0; at < 100; at++)
    await room.deps.store.sharedViews.save(`hash-${at}`, { ...about, id: `id-${at}`, until: now + DAY }, now);
  const refused = await make(editor);
  expect(refused.errors?.name?.join()).toContain('has 100 links');
  // Room for the others: those are over.
  now += DAY;
  room.setNow(now);
  editor = await signIn(room.app, { site: id, secret: room.writeSecret });
  expect(await make(editor)).toMatchObject({ success: true });
});
