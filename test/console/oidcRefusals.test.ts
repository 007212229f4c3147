// Sign-ins by OpenID Connect that fail: each is a page with one sentence, opens nothing and leaves nothing in the log.
import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Newsroom } from '../support/newsroom.ts';
import { freePorts } from '../support/ports.ts';
import { openProvider, type SignInProvider } from '../support/signInProvider.ts';
import {
  ACCESSES,
  ann,
  begin,
  CALLBACK,
  comeBack,
  openSignInRoom,
  passProvider,
  type SignInRoom,
  settingsFor,
  wayThrough,
  withProvider,
  wordsOf,
} from './oidcRoom.ts';
import { ORIGIN, postSignIn, type SessionBody } from './support.ts';

const MINUTE = 60_000;

const OVER = 'This sign-in is over';
const AWAY = 'Example &amp; Co does not answer. Try again in a minute.';
const REFUSED = 'The answer of Example &amp; Co was refused. Ask your operator: the log of this server has the reason.';

let of: SignInRoom;
let room: Newsroom;
let provider: SignInProvider;
let app: Hono;
let now: number;
let lines: string[];

beforeAll(async () => {
  of = await openSignInRoom();
  ({ room, provider, lines } = of);
});
afterAll(() => of?.close());
beforeEach(() => {
  ({ now, app } = of.nextTest());
  provider.account = ann('editors');
});

/** One sentence, a link to the next attempt, and no session. */
async function expectRefusal(answer: Response, status: number, says: string): Promise<void> {
  const page = answer.clone();
  expect([answer.status, await wordsOf(answer)]).toEqual([status, expect.stringContaining(says)]);
  expect(answer.headers.getSetCookie().join()).not.toContain('afterword_console');
  expect(await page.text()).toMatch(/<a class="primary" href="\.{1,2}\/oidc[^"]*">Sign in with Example &amp; Co<\/a>/);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
}

const reasons = () =>
  lines.map((line) => JSON.parse(line) as { msg: string; reason?: string }).map(({ reason }) => reason);

/** The cookie of a sign-in with something else in it. */
function altered(cookie: string, change: (attempt: { checks: Record<string, string> }) => void): string {
  const attempt = JSON.parse(Buffer.from(cookie.split('=')[1]!, 'base64url').toString());
  change(attempt);
  return `afterword_oidc=${Buffer.from(JSON.stringify(attempt)).toString('base64url')}`;
}

describe('a sign-in is over, and the provider is not asked,', () => {
  test.each<[string, (path: string, cookie: string) => [path: string, cookie: string]]>([
    ['in a browser that did not begin it', (path) => [path, '']],
    ['with a forged state', (path, cookie) => [path.replace(/state=[^&]+/, 'state=forged'), cookie]],
    ['without a state', (path, cookie) => [path.replace(/state=[^&]+&?/, ''), cookie]],
    ['with a cookie that is not ours', (path) => [path, 'afterword_oidc=e30']],
    ['with a cookie that is no JSON', (path) => [path, 'afterword_oidc=xxxx']],
  ])('%s', async (_, change) => {
    const { location, cookie } = await begin(app);
    const path = await passProvider(location);
    provider.asked.length = 0;
    await expectRefusal(await comeBack(app, ...change(path, cookie)), 403, OVER);
    expect(provider.asked).toEqual([]);
  });

  test('after ten minutes', async () => {
    const { location, cookie } = await begin(app);
    const path = await passProvider(location);
    room.setNow(now + 10 * MINUTE);
    await expectRefusal(await comeBack(app, path, cookie), 403, OVER);
    room.setNow(now + 10 * MINUTE - 1);
    expect((await comeBack(app, path, cookie)).status).toBe(302);
  });
});

test('an address of the callback opens nothing a second time', async () => {
  const { location, cookie } = await begin(app);
  const path = await passProvider(location);
  expect((await comeBack(app, path, cookie)).status).toBe(302);
  await expectRefusal(await comeBack(app, path, cookie), 403, OVER);
});

test('a code of another sign-in opens nothing: neither its nonce nor its PKCE fits', async () => {
  const [mine, theirs] = [await begin(app), await begin(app)];
  const code = new URLSearchParams((await passProvider(theirs.location)).split('?')[1]).get('code')!;
  const path = (await passProvider(mine.location)).replace(/code=[^&]+/, `code=${code}`);
  await expectRefusal(await comeBack(app, path, mine.cookie), 403, OVER);
});

test('an ID token with another nonce is refused', async () => {
  const { location, cookie } = await begin(app);
  const path = await passProvider(location);
  const forged = altered(cookie, ({ checks }) => {
    checks.nonce = 'x'.repeat(43);
  });
  await expectRefusal(await comeBack(app, path, forged), 502, REFUSED);
  expect(reasons()).toEqual(['OAUTH_JWT_CLAIM_COMPARISON_FAILED: unexpected ID Token "nonce" claim value']);
});

test('who cancels at the provider is sent back in words', async () => {
  provider.account = undefined;
  await expectRefusal(
    await wayThrough(app),
    403,
    'Example &amp; Co did not sign you in, or you cancelled it. Sign in again.',
  );
  expect(lines).toEqual([]);
});

test('an error that the provider does not send for this sign-in is not believed', async () => {
  const { cookie } = await begin(app);
  await expectRefusal(await comeBack(app, '/console/oidc/callback?error=access_denied&state=x', cookie), 403, OVER);
});

describe('a provider', () => {
  test('that is away is said to be, and asked again five seconds later', async () => {
    const [port = 0] = await freePorts(1);
    const late = withProvider(room, settingsFor(`http://127.0.0.1:${port}`, ACCESSES));
    const ask = () => late.request(`${ORIGIN}/console/oidc?view=now&site=paper.example`);
    await expectRefusal(await ask(), 503, AWAY);
    expect(await (await ask()).text()).toContain('href="./oidc?view=now&amp;site=paper.example"');
    expect(reasons()).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
    const opened = await openProvider({ redirectUris: [CALLBACK], port });
    try {
      await expectRefusal(await ask(), 503, AWAY);
      room.setNow(now + 5_000);
      expect((await ask()).status).toBe(302);
    } finally {
      await opened.close();
    }
  });

  test('that goes away in the middle is said to be', async () => {
    const short = await openProvider({ redirectUris: [CALLBACK] });
    short.account = ann('editors');
    const there = withProvider(room, settingsFor(short.issuer, ACCESSES));
    const { location, cookie } = await begin(there);
    const path = await passProvider(location);
    await short.close();
    await expectRefusal(await comeBack(there, path, cookie), 503, AWAY);
  });

  test('that is another issuer than the configured one is refused', async () => {
    const other = withProvider(room, settingsFor(provider.issuer.replace('127.0.0.1', 'localhost'), ACCESSES));
    await expectRefusal(await other.request(`${ORIGIN}/console/oidc`), 502, REFUSED);
    expect(reasons()).toEqual([expect.stringContaining('issuer')]);
  });

  test('whose ID token is signed by another key than it publishes is refused', async () => {
    const forger = await openProvider({ redirectUris: [CALLBACK], wrongKeys: true });
    try {
      forger.account = ann('editors');
      await expectRefusal(await wayThrough(withProvider(room, settingsFor(forger.issuer, ACCESSES))), 502, REFUSED);
      expect(reasons()).toEqual([expect.stringContaining('signature')]);
    } finally {
      await forger.close();
    }
  });

  test('that does not take our secret is refused, and the log says so', async () => {
    const wrong = withProvider(room, settingsFor(provider.issuer, ACCESSES, { clientSecret: 'hidden-word' }));
    await expectRefusal(await wayThrough(wrong), 502, REFUSED);
    expect(reasons()).toEqual(['status 401: client_id, its secret or an access token was not taken']);
  });
});

test('sign-ins that fail are soon refused unasked, count with wrong secrets, and those that succeed cost nothing', async () => {
  for (let time = 0; time < 12; time++) expect((await wayThrough(app)).status).toBe(302);
  const wrong = withProvider(room, settingsFor(provider.issuer, ACCESSES, { clientSecret: 'hidden-word' }));
  const { location, cookie } = await begin(wrong);
  const path = await passProvider(location);
  const statuses: number[] = [];
  for (let time = 0; time < 10; time++) statuses.push((await comeBack(wrong, path, cookie)).status);
  expect(new Set(statuses)).toEqual(new Set([502]));
  provider.asked.length = 0;
  const refused = await comeBack(wrong, path, cookie);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  await expectRefusal(refused, 429, 'Too many sign-ins from this network failed. Try again in a minute.');
  expect(provider.asked).toEqual([]);
  const secret = (await (await postSignIn(wrong, room.site.id, room.secret)).json()) as SessionBody;
  expect(secret.code).toBe(429);
});

test.each(['cross-site', 'same-site'])('a page that is %s begins no sign-in', async (from) => {
  const answer = await app.request(`${ORIGIN}/console/oidc?site=paper.example`, {
    headers: { 'Sec-Fetch-Site': from },
  });
  expect(answer.headers.get('Set-Cookie')).toBeNull();
  await expectRefusal(answer, 403, 'A page of another site led here.');
});

test('nothing of codes, tokens, states, claims and secrets is in the log', async () => {
  const { location, cookie } = await begin(app);
  const path = await passProvider(location);
  const query = new URLSearchParams(path.split('?')[1]);
  const forged = altered(cookie, ({ checks }) => {
    checks.nonce = 'x'.repeat(43);
  });
  await comeBack(app, path, forged);
  await wayThrough(withProvider(room, settingsFor(provider.issuer, ACCESSES, { clientSecret: 'hidden-word' })));
  await wayThrough(app);
  const log = lines.join('');
  expect(lines).toHaveLength(3);
  for (const part of [
    query.get('code')!,
    query.get('state')!,
    cookie.split('=')[1]!,
    'eyJ',
    'ann@',
    'subject-of',
    'hidden-word',
  ])
    expect(log).not.toContain(part);
});
