// How links to one view of the console end, and what opens none.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createAdmin } from '../../server/cli/admin.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { DAY, type Guest, json, make, open, openShareRoom, revoke, type ShareRoom } from './shareRoom.ts';

let shares: ShareRoom;
beforeAll(async () => {
  shares = await openShareRoom();
});
afterAll(() => shares.room.close());
beforeEach(() => shares.moveTo(shares.now + 400 * DAY));

describe('a link ends', () => {
  const isOpen = async (guest: Guest, path = '') => {
    const [asked, state, again] = [
      await guest.ask(shares.posts()),
      await guest.ask('session'),
      path && (await open(shares.room.app, path)),
    ];
    return [asked, state, ...(again ? [again.body] : [])].map(({ code = 200 }) => code);
  };

  test('when it is revoked, at once, for who has it open and for who stole its address', async () => {
    const guest = await shares.share();
    expect(await isOpen(guest, guest.path)).toEqual([200, 200, 200]);
    expect(await revoke(shares.editor, guest.id)).toMatchObject({ success: true });
    expect(await isOpen(guest, guest.path)).toEqual([403, 403, 403]);
    expect((await json(shares.editor.send('/console/shares'))).data.map(({ id }) => id)).not.toContain(guest.id);
    expect(await revoke(shares.editor, guest.id)).toMatchObject({ code: 404 });
  });

  test('when the command line revokes it, at once', async () => {
    const admin = createAdmin(shares.room.deps as never);
    const guest = await shares.share();
    const listed = await (await admin.request(`/sites/${shares.room.site.id}/shares`)).json();
    expect(listed).toContainEqual(expect.objectContaining({ id: guest.id, name: 'For the board' }));
    expect(await isOpen(guest)).toEqual([200, 200]);
    const revoked = await admin.request(`/sites/${shares.room.site.id}/shares/${guest.id}`, { method: 'DELETE' });
    expect(await revoked.json()).toEqual({ id: guest.id, name: 'For the board' });
    expect(await isOpen(guest)).toEqual([403, 403]);
    const unknown = await admin.request(`/sites/${shares.room.site.id}/shares/${guest.id}`, { method: 'DELETE' });
    expect([unknown.status, await unknown.text()]).toEqual([422, expect.stringContaining('share list')]);
  });

  test('on another copy of the server within seconds', async () => {
    const copy = createApp(shares.room.deps);
    const { sharedViews } = shares.room.deps.store;
    const other = createApp({
      ...shares.room.deps,
      store: { ...shares.room.deps.store, sharedViews: { ...sharedViews, revoked: () => 0 } },
    });
    const guest = await shares.share();
    expect(await guest.ask('session', {}, other)).toMatchObject({ success: true });
    await revoke(shares.editor, guest.id);
    expect(await guest.ask('session', {}, copy)).toMatchObject({ code: 403 });
    shares.room.setNow(shares.now + 5_000);
    expect(await guest.ask('session', {}, other)).toMatchObject({ code: 403 });
  });

  test('at its time', async () => {
    const guest = await shares.share('?period=own&from=2030-01-01&to=2030-01-07', 1);
    const asked = shares.posts('period_start=2030-01-01&period_end=2030-01-07');
    shares.room.setNow(shares.now + DAY - 1);
    expect((await guest.ask(asked)).success).toBe(true);
    shares.room.setNow(shares.now + DAY);
    expect(await guest.ask(asked)).toMatchObject({ code: 403 });
    expect((await open(shares.room.app, guest.path)).body).toMatchObject({ code: 403 });
    shares.room.setNow(shares.now);
  });

  test('with the write secret that it was made with, and not with the read secret', async () => {
    const guest = await shares.share();
    await replaceSite(shares.room.deps.sites, { ...shares.room.site, secretHash: hashSecret('another') });
    expect(await isOpen(guest, guest.path)).toEqual([200, 200, 200]);
    await replaceSite(shares.room.deps.sites, { ...shares.room.site, writeSecretHash: hashSecret('another') });
    expect(await isOpen(guest, guest.path)).toEqual([403, 403, 403]);
  });
});

test('an address that was guessed or cut opens nothing, and guesses are soon refused unread', async () => {
  const { path, id } = await shares.share();
  expect((await open(shares.room.app, path.slice(0, -1))).body).toMatchObject({ code: 422 });
  const codes = new Set<number | undefined>();
  for (let time = 0; time < 12; time++)
    codes.add((await open(shares.room.app, `share/${id}/#${'x'.repeat(43)}`)).body.code);
  expect([...codes]).toEqual([403, 429]);
});

test('a page of another site cannot open a link in the name of its reader', async () => {
  const { path } = await shares.share();
  for (const from of ['cross-site', 'same-site']) {
    const { body, setCookie } = await open(shares.room.app, path, { 'Sec-Fetch-Site': from });
    expect([body.code, setCookie]).toEqual([403, '']);
  }
});

test('a site has a bounded number of links', async () => {
  const { id } = shares.room.site;
  const about = {
    site: id,
    name: 'x',
    search: '',
    secretHash: hashSecret(shares.room.writeSecret),
    createdAt: shares.now,
  };
  for (let at = 0; at < 100; at++)
    await shares.room.deps.store.sharedViews.save(
      `hash-${at}`,
      { ...about, id: `id-${at}`, until: shares.now + DAY },
      shares.now,
    );
  const refused = await make(shares.editor);
  expect(refused.errors?.name?.join()).toContain('has 100 links');
  // Room for the others: those are over.
  await shares.moveTo(shares.now + DAY);
  expect(await make(shares.editor)).toMatchObject({ success: true });
});
