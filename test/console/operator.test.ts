// The operator's session of the console over HTTP: what opens it, what it opens, and how it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { ORIGIN, type SessionBody, signIn, type Visitor, visitor } from './support.ts';

const HOUR = 3_600_000;
const OTHER = 'other.example';

let room: Newsroom;
let now = Date.UTC(2030, 0, 1);
let token: string;

beforeAll(async () => {
  room = await openNewsroom({ now });
  await room.deps.sites.add({ ...room.site, id: OTHER as Site['id'], secretHash: hashSecret('other') });
});
afterAll(() => room.close());
beforeEach(async () => {
  // Attempts are forgotten.
  now += 1000 * HOUR;
  room.setNow(now);
  token = await replaceToken();
});

async function replaceToken(): Promise<string> {
  const made = createReadSecret();
  await room.deps.store.operatorTokens.replace(hashSecret(made), now);
  return made;
}

const postToken = async (given: unknown, headers: Record<string, string> = {}) =>
  await room.app.request(`${ORIGIN}/console/operator`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ token: given }),
  });

async function signInOperator(app = room.app): Promise<Visitor> {
  const answer = await postToken(token);
  const body = (await answer.json()) as SessionBody;
  const setCookie = answer.headers.get('Set-Cookie') ?? '';
  return visitor(app, { cookie: setCookie.split(';')[0] ?? '', setCookie, body, token: body.data.token });
}

async function codeOf(asked: Promise<Response>): Promise<number> {
  const { code = 200 } = (await (await asked).json()) as { code?: number };
  return code;
}

const SITES = '/console/operator/sites';
const POSTS = '/console/api/v2/analytics/posts';
const of = (site: string) => ({ headers: { 'Afterword-Site': site } });

describe('the operator signs in', () => {
  test('with the token, for twelve hours, with a cookie for the console alone that has no token in it', async () => {
    const operator = await signInOperator();
    expect(operator.body.data).toEqual({
      role: 'operator',
      now: new Date(now).toISOString(),
      until: new Date(now + 12 * HOUR).toISOString(),
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(operator.setCookie).toMatch(/^afterword_console=[\w-]{43}; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(operator.setCookie).not.toContain(token);
    expect(await operator.state()).toBe(200);
    expect(await codeOf(operator.send(SITES))).toBe(200);
  });

  test('by no wrong, replaced or revoked token, nor by a secret of a site, and the answers are the same', async () => {
    const replaced = token;
    token = await replaceToken();
    const texts = new Set<string>();
    for (const wrong of ['wrong', '', replaced, room.secret, room.writeSecret, hashSecret(token)])
      texts.add(await (await postToken(wrong)).text());
    expect((await signInOperator()).body.success).toBe(true);
    await room.deps.store.operatorTokens.revoke(now);
    texts.add(await (await postToken(token)).text());
    expect([...texts]).toEqual(['{"code":403,"message":"Forbidden","success":false}']);
  });

  test('not while guesses come from the network, which count with wrong secrets', async () => {
    const codes: number[] = [];
    for (let time = 0; time < 12; time++) codes.push(await codeOf(postToken('wrong')));
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429]);
    expect(await codeOf(postToken(token))).toBe(429);
    expect((await signIn(room.app, { site: room.site.id, secret: room.secret })).body.code).toBe(429);
  });

  test.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 422],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another host of the domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ])('by no request of %s', async (_, headers, code) => {
    const answer = await postToken(token, headers);
    expect(answer.headers.get('Set-Cookie')).toBeNull();
    expect(await codeOf(Promise.resolve(answer))).toBe(code);
  });

  test.each([null, 7, ['x'], {}, 'x'.repeat(201)])('not with %j in the place of a token', async (given) => {
    expect(await codeOf(postToken(given))).toBe(422);
  });

  test('and only the hash of the token is in the database', async () => {
    await signInOperator();
    const stored = await room.deps.store.operatorTokens.find();
    expect(stored).toEqual({ hash: hashSecret(token), createdAt: now });
  });
});

describe('the operator’s session ends', () => {
  test('after twelve hours', async () => {
    const operator = await signInOperator();
    room.setNow(now + 12 * HOUR - 1);
    expect(await operator.state()).toBe(200);
    room.setNow(now + 12 * HOUR);
    expect(await operator.state()).toBe(403);
    expect(await codeOf(operator.send(SITES))).toBe(403);
    expect(await codeOf(operator.send(POSTS, of(OTHER)))).toBe(403);
  });

  test('when the token is replaced, at once', async () => {
    const operator = await signInOperator();
    token = await replaceToken();
    expect([await operator.state(), await (await signInOperator()).state()]).toEqual([403, 200]);
    expect(await codeOf(operator.send(POSTS, of(OTHER)))).toBe(403);
  });

  test('when the token is revoked, at once, on other copies of the server within five seconds', async () => {
    const copy = await openCopy();
    const operator = await signInOperator();
    const elsewhere = visitor(copy, operator);
    expect([await operator.state(), await elsewhere.state()]).toEqual([200, 200]);
    await room.deps.store.operatorTokens.revoke(now);
    expect(await operator.state()).toBe(403);
    room.setNow(now + 5_000);
    expect(await elsewhere.state()).toBe(403);
  });

  test('when the operator signs out, which takes the token of the session', async () => {
    const operator = await signInOperator();
    const remove = (headers: Record<string, string>) =>
      codeOf(operator.send('/console/session', { method: 'DELETE', headers }));
    expect([await remove({}), await remove({ 'Afterword-Token': 'x'.repeat(43) })]).toEqual([403, 403]);
    expect(await operator.state()).toBe(200);
    expect(await remove({ 'Afterword-Token': operator.token })).toBe(200);
    expect(await operator.state()).toBe(403);
  });

  /** Another copy, which learns of changes from the database alone. */
  async function openCopy() {
    const { operatorTokens } = room.deps.store;
    const store = { ...room.deps.store, operatorTokens: { ...operatorTokens, changes: () => 0 } };
    return createApp({ ...room.deps, store });
  }
});

describe('the operator’s session opens', () => {
  test('every site that a header names, and none where it names none or an unknown one', async () => {
    await room.write('https://paper.example/a', { title: 'A' });
    await room.happen({ action: 'pageview', url: 'https://paper.example/a' });
    const operator = await signInOperator();
    const rowsOf = async (site: string) =>
      ((await (await operator.send(POSTS, of(site))).json()) as { data: object[] }).data;
    expect([await rowsOf(room.site.id), await rowsOf(OTHER)]).toMatchObject([[{ title: 'A' }], []]);
    expect(await codeOf(operator.send(`${POSTS}?apikey=${OTHER}`))).toBe(403);
    expect(await codeOf(operator.send(POSTS, of('unknown.example')))).toBe(403);
    const state = async (site: string) =>
      ((await (await operator.send('/console/session', of(site))).json()) as SessionBody).data;
    expect(await state(OTHER)).toMatchObject({ site: OTHER, timezone: 'UTC', role: 'act', operator: true });
    expect(await state('unknown.example')).toMatchObject({ role: 'operator' });
  });

  test('what a site may change, with the token of the session alone', async () => {
    const operator = await signInOperator();
    const hide = (headers: Record<string, string>) =>
      codeOf(
        operator.send('/console/api/v2/exclude/ignore?url=https://paper.example/hidden', {
          method: 'POST',
          headers: { ...of(room.site.id).headers, ...headers },
        }),
      );
    expect([await hide({}), await hide({ 'Afterword-Token': 'x'.repeat(43) })]).toEqual([403, 403]);
    expect(await hide({ 'Afterword-Token': operator.token })).toBe(200);
    expect([...(await room.deps.exclusions.of(room.site.id))]).toEqual(['https://paper.example/hidden']);
  });

  test('links to views, which end with the token that they were made with', async () => {
    const operator = await signInOperator();
    const made = await operator.send('/console/shares', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Afterword-Token': operator.token,
        ...of(OTHER).headers,
      },
      body: JSON.stringify({ name: 'For the board', days: 7, search: '' }),
    });
    const { path } = ((await made.json()) as { data: { path: string } }).data;
    const [folder, opener] = path.split('#');
    const open = () =>
      codeOf(
        Promise.resolve(
          room.app.request(`${ORIGIN}/console/${folder}session`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ token: opener }),
          }),
        ),
      );
    expect(await open()).toBe(200);
    await replaceToken();
    expect(await open()).toBe(403);
  });
});

describe('the session of a site', () => {
  test.each(['read', 'write'] as const)('opens no page of the operator, with the %s secret', async (kind) => {
    const secret = kind === 'read' ? room.secret : room.writeSecret;
    const reader = await signIn(room.app, { site: room.site.id, secret });
    for (const path of [SITES, '/console/operator/server'])
      for (const init of [{}, of(OTHER)]) expect(await codeOf(reader.send(path, init))).toBe(403);
  });

  test('is of that site alone, whatever site a header names', async () => {
    const stranger = await signIn(room.app, { site: OTHER, secret: 'other' });
    const state = (await (await stranger.send('/console/session', of(room.site.id))).json()) as SessionBody;
    expect(state.data.site).toBe(OTHER);
    const figures = '/console/api/v2/analytics/posts';
    expect(await codeOf(stranger.send(figures, of(room.site.id)))).toBe(403);
    for (const init of [{}, of(OTHER)]) expect(await codeOf(stranger.send(figures, init))).not.toBe(403);
  });
});

test('without a session no page of the operator is answered', async () => {
  for (const path of [SITES, '/console/operator/server'])
    expect(await codeOf(Promise.resolve(room.app.request(ORIGIN + path)))).toBe(403);
});
