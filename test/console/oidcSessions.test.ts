// Sign-in to the console with accounts of a real OpenID Connect provider, over HTTP: what they open.
import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../server/console/oidc/grants.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { type Account, openProvider, type SignInProvider } from '../support/signInProvider.ts';
import {
  ACCESSES,
  ann,
  begin,
  CALLBACK,
  comeBack,
  EMAIL,
  eve,
  OTHER,
  openSignInRoom,
  passProvider,
  type SignInRoom,
  settingsFor,
  signInThere,
  wayThrough,
  withProvider,
  wordsOf,
} from './oidcRoom.ts';
import { ORIGIN } from './support.ts';

const HOUR = 3_600_000;

let of: SignInRoom;
let room: Newsroom;
let provider: SignInProvider;
let app: Hono;
let now: number;

beforeAll(async () => {
  of = await openSignInRoom();
  ({ room, provider } = of);
});
afterAll(() => of?.close());
beforeEach(() => {
  ({ now, app } = of.nextTest());
});

describe('an account signs in', () => {
  test.each<[string, Account, string, object]>([
    ['to its only site, to read', ann(), '', { site: 'paper.example', role: 'read' }],
    ['with the strongest of its grants', ann('editors'), '', { site: 'paper.example', role: 'act' }],
    ['to the site that is asked', eve('desk'), `?site=${OTHER}`, { site: OTHER, role: 'read' }],
    ['as the operator', eve('admins', 'desk'), '', { role: 'operator' }],
  ])('%s', async (_, account, query, expected) => {
    provider.account = account;
    const reader = await signInThere(app, query);
    expect(reader.body.data).toEqual({
      ...expected,
      ...('site' in expected && { timezone: 'UTC' }),
      now: new Date(now).toISOString(),
      until: new Date(now + 12 * HOUR).toISOString(),
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('with the cookie of every session, and without anything of the provider in cookies and addresses', async () => {
    provider.account = ann();
    const answer = await wayThrough(app);
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '../']);
    expect(answer.headers.getSetCookie()).toEqual([
      'afterword_oidc=; Max-Age=0; Path=/console/oidc; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^afterword_console=[\w-]{43}; Max-Age=43200; Path=\/console; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
  });

  test('by authorization code, with state, nonce and PKCE, from the address that is registered', async () => {
    const { location, setCookie } = await begin(app);
    expect(location.origin).toBe(provider.issuer);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'afterword',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(setCookie).toMatch(/^afterword_oidc=[\w-]+; Max-Age=600; Path=\/console\/oidc; HttpOnly; SameSite=Lax$/);
  });

  test('below the prefix of a proxy and by https: cookies are for its folder, and never travel unencrypted', async () => {
    const redirectUri = new URL('https://paper.example/stats/console/oidc/callback');
    const { setCookie, location } = await begin(
      withProvider(room, settingsFor(provider.issuer, ACCESSES, { redirectUri })),
    );
    expect(setCookie).toMatch(/; Path=\/stats\/console\/oidc; HttpOnly; SameSite=Lax; Secure$/);
    expect(location.searchParams.get('redirect_uri')).toBe(redirectUri.href);
  });

  test.each([
    ['what was asked for', `?site=${OTHER}&view=now&section=World`, '../?view=now&section=World'],
    [
      'no other place',
      '?view=//evil.example&next=https://evil.example%0d%0aX:y',
      '../?view=%2F%2Fevil.example&next=https%3A%2F%2Fevil.example%0D%0AX%3Ay',
    ],
    [
      'the view, without what is too long',
      `?view=post&post=https://paper.example/${'%C3%A4'.repeat(400)}&period=28d&site=${OTHER}`,
      '../?view=post&period=28d',
    ],
    ['nothing too long', `?view=${'x'.repeat(3_000)}&site=${OTHER}`, '../'],
  ])('and is led to %s', async (_, query, expected) => {
    provider.account = eve('desk');
    const site = query.includes('site=') ? query : `${query}&site=${OTHER}`;
    expect((await wayThrough(app, site)).headers.get('Location')).toBe(expected);
  });

  test('as the operator to the console of the site that is asked', async () => {
    provider.account = eve('admins');
    expect((await wayThrough(app, `?site=${OTHER}&view=now`)).headers.get('Location')).toBe(
      `../site/${OTHER}/?view=now`,
    );
    expect((await wayThrough(app, '?site=..%2F..%2Fevil')).headers.get('Location')).toBe('../');
  });

  test('and chooses among several sites, of which each link begins again', async () => {
    provider.account = eve('desk');
    const answer = await wayThrough(app, '?view=now');
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([200, 1]);
    const page = await answer.text();
    expect([...page.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, href, text]) => [href, text])).toEqual([
      [`../oidc?view=now&amp;site=${OTHER}`, OTHER],
      ['../oidc?view=now&amp;site=paper.example', 'paper.example'],
    ]);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'");
    expect((await signInThere(app, `?view=now&site=${OTHER}`)).body.data).toMatchObject({ site: OTHER, role: 'read' });
  });

  test.each([
    ['no site', eve(), '', 'Your account may not open any site here; ask your operator.'],
    [
      'an address that is not verified',
      { ...ann(), email_verified: false },
      '',
      'Your account may not open any site here',
    ],
    ['another site', ann(), `?site=${OTHER}`, 'Your account may not open this site; ask your operator'],
    ['an unknown site', ann(), '?site=none.example', 'Your account may not open this site; ask your operator'],
  ])('and may open %s', async (_, account, query, says) => {
    provider.account = account;
    const answer = await wayThrough(app, query);
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([403, 1]);
    expect(await wordsOf(answer)).toContain(says);
  });

  test.each([
    ['whose claims are at the UserInfo endpoint alone', { inToken: false }],
    ['that takes the secret in the body', { auth: 'client_secret_post' as const }],
    ['that has no secret for us', { auth: 'none' as const }],
  ])('at a provider %s', async (_, options) => {
    const other = await openProvider({ redirectUris: [CALLBACK], ...options });
    try {
      other.account = ann('editors');
      const without = 'auth' in options && options.auth === 'none' ? { clientSecret: undefined } : {};
      const reader = await signInThere(withProvider(room, settingsFor(other.issuer, ACCESSES, without)));
      expect(reader.body.data).toMatchObject({ site: 'paper.example', role: 'act' });
    } finally {
      await other.close();
    }
  });

  test('at a provider that says at the UserInfo endpoint alone which address is verified, for that address', async () => {
    const chief = 'chief@paper.example';
    const granted = (value: string) => ({ claim: 'email', value, role: 'act', site: 'paper.example' }) as const;
    const editors = { claim: 'groups', value: 'editors', role: 'read', site: 'paper.example' } as const;
    const other = await openProvider({ redirectUris: [CALLBACK], token: { email_verified: undefined } });
    const changed = { email: chief, email_verified: undefined, groups: undefined };
    const mixed = await openProvider({ redirectUris: [CALLBACK], token: changed });
    try {
      other.account = ann();
      mixed.account = ann();
      const through = async (issuer: string, ...accesses: Access[]) =>
        (await wayThrough(withProvider(room, settingsFor(issuer, accesses)))).status;
      expect(await through(other.issuer, granted(EMAIL))).toBe(302);
      expect(await through(mixed.issuer, granted(EMAIL), editors)).toBe(302);
      expect(await through(mixed.issuer, granted(chief), editors)).toBe(403);
    } finally {
      await Promise.all([other.close(), mixed.close()]);
    }
  });

  test('on another copy of the server than the one where it began', async () => {
    provider.account = ann();
    const [here, there] = [app, withProvider(room, settingsFor(provider.issuer, ACCESSES))];
    const { location, cookie } = await begin(here);
    const answer = await comeBack(there, await passProvider(location), cookie);
    expect(answer.headers.getSetCookie()).toHaveLength(2);
  });

  test('and the log says how, not who, and the database nothing but the hash of the grant', async () => {
    provider.account = ann('editors');
    const { cookie } = await signInThere(app);
    const hash = createHash('sha256')
      .update(`session ${cookie.split('=')[1]}`)
      .digest('hex');
    expect(await room.deps.store.consoleSessions.find(hash)).toEqual({
      site: 'paper.example',
      role: 'act',
      secretHash: settingsFor(provider.issuer, ACCESSES).grants[1]!.hash,
      until: now + 12 * HOUR,
    });
    const log = of.lines.join('');
    expect(JSON.parse(of.lines.at(-1)!)).toMatchObject({
      msg: 'signed in to the console by OpenID Connect',
      site: 'paper.example',
      role: 'act',
      grant: 2,
    });
    for (const secret of [EMAIL, 'subject-of-ann', 'eyJ', cookie.split('=')[1]!, 'state=', 'code='])
      expect(log).not.toContain(secret);
  });
});

test('without a provider there is no such way, and the page names none', async () => {
  for (const path of ['/console/oidc', '/console/oidc/callback?code=x&state=y'])
    expect((await room.app.request(ORIGIN + path)).status).toBe(404);
  const pageOf = async (of: Hono, path: string) => await (await of.request(ORIGIN + path)).text();
  for (const path of ['/console/', '/console/site/paper.example/']) {
    expect(await pageOf(room.app, path)).not.toContain('oidc');
    expect(await pageOf(app, path)).toContain(' data-oidc="Example &amp; Co"');
  }
  expect(await pageOf(app, '/console/share/x/')).not.toContain('oidc');
});
