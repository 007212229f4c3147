// Sessions that a grant of an OpenID Connect provider has opened: what they may do, and how they end.
import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../server/console/oidc/grants.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import type { SignInProvider } from '../support/signInProvider.ts';
import {
  ACCESSES,
  ann,
  codeOf,
  eve,
  OTHER,
  openSignInRoom,
  type SignInRoom,
  settingsFor,
  signInThere,
  withProvider,
} from './oidcRoom.ts';
import { ORIGIN, type SessionBody, type Visitor, visitor } from './support.ts';

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

describe('a session of an account', () => {
  const change = (visitor: Visitor, path: string, init: RequestInit = {}) =>
    visitor.send(path, { ...init, headers: { 'Afterword-Token': visitor.token, ...init.headers } });
  const without = (claim: string) =>
    settingsFor(
      provider.issuer,
      ACCESSES.filter(({ value }) => value !== claim),
    );

  test('ends when its grant is removed, also where another grant of its account remains, and no other does', async () => {
    provider.account = ann('editors');
    const editor = await signInThere(app);
    provider.account = eve('admins');
    const operator = await signInThere(app);
    const [noEditors, noAdmins] = [withProvider(room, without('editors')), withProvider(room, without('admins'))];
    const statesAt = async (copy: Hono) => [await visitor(copy, editor).state(), await visitor(copy, operator).state()];
    expect(await statesAt(app)).toEqual([200, 200]);
    expect(await statesAt(noEditors)).toEqual([403, 200]);
    expect(await statesAt(noAdmins)).toEqual([200, 403]);
    expect(await statesAt(room.app)).toEqual([403, 403]);
  });

  test('ends when its grant is weaker, for another site, or of another provider', async () => {
    provider.account = ann('editors');
    const editor = await signInThere(app);
    const changed = (of: Partial<Access>) =>
      settingsFor(
        provider.issuer,
        ACCESSES.map((each) => (each.value === 'editors' ? { ...each, ...of } : each)),
      );
    for (const settings of [
      changed({ role: 'read' }),
      changed({ site: OTHER }),
      settingsFor('https://id.example', ACCESSES),
    ])
      expect(await visitor(withProvider(room, settings), editor).state()).toBe(403);
  });

  test('ends after twelve hours, and when its reader signs out, with the token of the session', async () => {
    provider.account = ann();
    const [first, second] = [await signInThere(app), await signInThere(app)];
    expect(await codeOf(second.send('/console/session', { method: 'DELETE' }))).toBe(403);
    expect(await codeOf(change(second, '/console/session', { method: 'DELETE' }))).toBe(200);
    expect([await first.state(), await second.state()]).toEqual([200, 403]);
    room.setNow(now + 12 * HOUR);
    expect(await first.state()).toBe(403);
  });

  test('is not ended by the rotation of a secret', async () => {
    provider.account = ann();
    const reader = await signInThere(app);
    await replaceSite(room.deps.sites, { ...room.site, secretHash: hashSecret('another') });
    expect(await reader.state()).toBe(200);
    await replaceSite(room.deps.sites, room.site);
  });

  test('acts only where its grant says so, and opens no pages of the operator', async () => {
    const hide = '/console/api/v2/exclude/ignore?url=https://paper.example/hidden';
    provider.account = ann();
    const reader = await signInThere(app);
    expect(await codeOf(change(reader, hide, { method: 'POST' }))).toBe(403);
    provider.account = ann('editors');
    const editor = await signInThere(app);
    expect(await codeOf(editor.send(hide, { method: 'POST' }))).toBe(403);
    expect(await codeOf(change(editor, hide, { method: 'POST' }))).toBe(200);
    expect(await codeOf(editor.send('/console/operator/sites'))).toBe(403);
    expect(await codeOf(editor.send('/console/operator/sites', { headers: { 'Afterword-Site': OTHER } }))).toBe(403);
    const named = (await (
      await editor.send('/console/session', { headers: { 'Afterword-Site': OTHER } })
    ).json()) as SessionBody;
    expect(named.data.site).toBe('paper.example');
  });

  test.each(['editors', 'admins'])('makes links to views, which end with the grant of %s', async (group) => {
    provider.account = ann(group);
    const editor = await signInThere(app);
    const made = await change(editor, '/console/shares', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(group === 'admins' && { 'Afterword-Site': 'paper.example' }) },
      body: JSON.stringify({ name: 'For the board', days: 7, search: '' }),
    });
    const [folder, token] = ((await made.json()) as { data: { path: string } }).data.path.split('#');
    const openAt = async (copy: Hono) =>
      await copy.request(`${ORIGIN}/console/${folder}session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    expect(await codeOf(openAt(app))).toBe(200);
    expect(await codeOf(openAt(withProvider(room, without(group))))).toBe(403);
  });
});
