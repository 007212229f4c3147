// Sessions of the console over HTTP: how one begins, whom it admits, and how it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createWriteSecret, hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { ORIGIN, postSignIn, type SessionBody, signIn, visitor } from './support.ts';

const HOUR = 3_600_000;

let room: Newsroom;
let now = Date.UTC(2030, 0, 1);
let keys: { site: string; secret: string };

beforeAll(async () => {
  room = await openNewsroom({ now, timezone: 'Europe/Madrid' });
  keys = { site: room.site.id, secret: room.secret };
});
afterAll(() => room.close());
beforeEach(async () => {
  // Later in each test, since the newest word on a site counts; and attempts are forgotten.
  now += 1000 * HOUR;
  room.setNow(now);
  await replaceSite(room.deps.sites, room.site);
});

const change = (of: Partial<Site>) => replaceSite(room.deps.sites, { ...room.site, ...of });

describe('signing in', () => {
  test('the read secret reads, the write secret acts, and the page learns no more than it shows', async () => {
    const reader = await signIn(room.app, keys);
    expect(reader.body.data).toEqual({
      site: 'paper.example',
      timezone: 'Europe/Madrid',
      role: 'read',
      now: new Date(now).toISOString(),
      until: new Date(now + 12 * HOUR).toISOString(),
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await reader.state()).toBe(200);
    const writer = await signIn(room.app, { ...keys, secret: room.writeSecret });
    expect(writer.body.data.role).toBe('act');
    expect(JSON.stringify([reader.body, writer.body])).not.toContain(reader.cookie.split('=')[1]);
  });

  test('the cookie is for the console alone, out of reach of scripts and of other sites, and has no secret in it', async () => {
    const { setCookie } = await signIn(room.app, keys);
    expect(setCookie).toMatch(/^afterword_console=[\w-]{43}; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    // Without a path it is for the folder of the address that set it: /console, below the prefix of a proxy as well.
    expect(setCookie).not.toContain(room.secret);
  });

  test.each([
    ['a proxy says that it came by https', ORIGIN, { 'X-Forwarded-Proto': 'https' }],
    ['it came by https', 'https://stats.example', {}],
  ])('the cookie never travels unencrypted where %s', async (_, origin, headers) => {
    const answer = await room.app.request(`${origin}/console/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(keys),
    });
    expect(answer.headers.get('Set-Cookie')).toMatch(/; Secure$/);
  });

  test('a wrong secret, the secret of another site and an unknown site have one answer, and no cookie', async () => {
    const other = await addSite('other.example');
    const texts = new Set<string>();
    for (const [site, secret] of [
      [keys.site, 'wrong'],
      [keys.site, other.secret],
      ['unknown.example', room.secret],
    ] as const) {
      const answer = await postSignIn(room.app, site, secret);
      expect(answer.headers.get('Set-Cookie')).toBeNull();
      texts.add(await answer.text());
    }
    expect([...texts]).toEqual(['{"code":403,"message":"Forbidden","success":false}']);
  });

  test('wrong secrets are soon refused unread, and right ones cost nothing', async () => {
    for (let time = 0; time < 20; time++) expect((await signIn(room.app, keys)).body.success).toBe(true);
    const codes: (number | undefined)[] = [];
    for (let time = 0; time < 12; time++) {
      const answer = await postSignIn(room.app, keys.site, 'wrong');
      codes.push(((await answer.json()) as SessionBody).code);
    }
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429]);
    const refused = await postSignIn(room.app, keys.site, room.secret);
    expect(((await refused.json()) as SessionBody).code).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    now += 60_000;
    room.setNow(now);
    expect((await signIn(room.app, keys)).body.success).toBe(true);
  });

  test.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 422],
    ['plain text', { 'Content-Type': 'text/plain' }, 422],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a page of another host of the domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ])('%s cannot sign a reader in', async (_, headers, code) => {
    const answer = await postSignIn(room.app, keys.site, keys.secret, headers);
    expect(answer.headers.get('Set-Cookie')).toBeNull();
    expect(((await answer.json()) as SessionBody).code).toBe(code);
  });
});

describe('a session ends', () => {
  test('after twelve hours', async () => {
    const reader = await signIn(room.app, keys);
    room.setNow(now + 12 * HOUR - 1);
    expect(await reader.state()).toBe(200);
    room.setNow(now + 12 * HOUR);
    expect(await reader.state()).toBe(403);
    expect(await codeOf(await reader.send('/console/api/v2/analytics/posts'))).toBe(403);
  });

  test('with the secret that opened it, at once', async () => {
    const [reader, writer] = [
      await signIn(room.app, keys),
      await signIn(room.app, { ...keys, secret: room.writeSecret }),
    ];
    await change({ secretHash: hashSecret('another') });
    expect([await reader.state(), await writer.state()]).toEqual([403, 200]);
    await change({ secretHash: hashSecret('another'), writeSecretHash: hashSecret('another') });
    expect([await reader.state(), await writer.state()]).toEqual([403, 403]);
  });

  test('with the overlap, where its secret was rotated with one', async () => {
    const reader = await signIn(room.app, keys);
    const retiring = [{ kind: 'read' as const, hash: hashSecret(room.secret), until: now + HOUR }];
    await change({ secretHash: hashSecret('another'), retiring });
    expect(await reader.state()).toBe(200);
    room.setNow(now + HOUR);
    expect(await reader.state()).toBe(403);
  });

  test('with its site', async () => {
    const { id, secret } = await addSite('short.example');
    const reader = await signIn(room.app, { site: id, secret });
    expect(await reader.state()).toBe(200);
    await room.deps.sites.remove(id);
    expect(await reader.state()).toBe(403);
  });

  test('when its reader signs out, on every copy of the server, and no other session does', async () => {
    const copy = createApp(room.deps);
    const [reader, colleague] = [await signIn(room.app, keys), await signIn(room.app, keys)];
    const elsewhere = visitor(copy, reader);
    expect([await reader.state(), await elsewhere.state()]).toEqual([200, 200]);
    const answer = await reader.send('/console/session', {
      method: 'DELETE',
      headers: { 'Afterword-Token': reader.token },
    });
    expect(answer.headers.get('Set-Cookie')).toMatch(/^afterword_console=; Max-Age=0; HttpOnly; SameSite=Strict$/);
    expect(await reader.state()).toBe(403);
    // What another copy remembers of a session, it asks for again within seconds.
    room.setNow(now + 5_000);
    expect(await elsewhere.state()).toBe(403);
    expect(await colleague.state()).toBe(200);
  });
});

describe('a request that its reader did not mean', () => {
  test('changes nothing without the token of the session', async () => {
    const [reader, other] = [await signIn(room.app, keys), await signIn(room.app, keys)];
    for (const token of [undefined, 'x'.repeat(43), other.token]) {
      const headers = new Headers(token === undefined ? {} : { 'Afterword-Token': token });
      headers.set('Cookie', reader.cookie);
      expect(
        await codeOf(await reader.send('/console/session', { method: 'DELETE', headers: Object.fromEntries(headers) })),
      ).toBe(403);
    }
    expect(await reader.state()).toBe(200);
  });

  test('shows nothing to a page of another origin: neither preflights nor scripts are answered', async () => {
    const reader = await signIn(room.app, keys);
    for (const path of ['/console/session', '/console/api/v2/analytics/posts?callback=steal']) {
      const answer = await reader.send(path, { headers: { Origin: 'https://evil.example' } });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
      expect(await answer.text()).toMatch(/^\{/);
      const preflight = await reader.send(path, { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } });
      expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  test.each(['', 'x', 'x'.repeat(43), '../'.repeat(20), "' OR 1=1 --"])('is refused with the cookie %j', async (id) => {
    const answer = await room.app.request(`${ORIGIN}/console/session`, {
      headers: { Cookie: `afterword_console=${id}` },
    });
    expect(await codeOf(answer)).toBe(403);
  });
});

async function codeOf(answer: Response): Promise<number> {
  const { code = 200 } = (await answer.json()) as { code?: number };
  return code;
}

async function addSite(id: string): Promise<{ id: Site['id']; secret: string }> {
  const secret = `secret-of-${id}`;
  const site = { ...room.site, id: id as Site['id'], secretHash: hashSecret(secret) };
  await room.deps.sites.add({ ...site, writeSecretHash: hashSecret(createWriteSecret()) });
  return { id: site.id, secret };
}
