// Secrets are replaced with an overlap: the old ones open until their end, not a moment longer, and can be ended at once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SiteInfo } from '../../server/cli/admin/siteInfo.ts';
import { type SiteSecrets, siteAdmin } from '../../server/cli/admin/sites.ts';
import { CommandError } from '../../server/cli/commandError.ts';
import { openDirectory } from '../../server/sites/directory.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const HOUR = 3_600_000;
/** Later in each test, since the newest word on a site counts. */
let now = Date.UTC(2030, 4, 17, 12);
const iso = (time: number) => new Date(time).toISOString();

let room: Newsroom;
let admin: ReturnType<typeof siteAdmin>;
beforeAll(async () => {
  room = await openNewsroom({ now });
  const library = { forget: () => {} };
  const quotas = { read: async () => [], uses: () => [] };
  const { now: clock, sites, store } = room.deps;
  admin = siteAdmin({ now: clock, sites, store, data: '', library, quotas });
  admin.onError((error, c) => {
    if (error instanceof CommandError) return c.json({ message: error.message }, 422);
    throw error;
  });
});
afterAll(() => room.close());

const path = (): string => `/sites/${room.site.id}`;
async function command<T>(method: string, to: string, body?: unknown): Promise<T> {
  const answer = await admin.request(to, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return (await answer.json()) as T;
}
const rotate = (changed: { read?: boolean; write?: boolean; overlapMs?: number }) =>
  command<SiteSecrets>('POST', `${path()}/secrets`, { read: false, write: false, ...changed });

async function reads(secret: string): Promise<boolean> {
  const query = new URLSearchParams({ apikey: room.site.id, secret });
  const answer = await room.app.request(`/v2/validate/secret?${query}`);
  return ((await answer.json()) as { success: boolean }).success;
}
async function writes(secret: string): Promise<boolean> {
  const metadata = { canonical_url: 'https://paper.example/a', title: 'A' };
  const body = JSON.stringify({ apikey: room.site.id, secret, metadata });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await room.app.request('/v2/metadata/posts', { method: 'POST', body, headers });
  return ((await answer.json()) as { success: boolean }).success;
}
async function crawls(secret: string): Promise<boolean> {
  const query = new URLSearchParams({ apikey: room.site.id, secret, url: 'https://paper.example/a' });
  return ((await (await room.app.request(`/v2/crawl?${query}`)).json()) as { success: boolean }).success;
}

let first: { read: string; write: string };
beforeEach(async () => {
  now += 1000 * HOUR;
  room.setNow(now);
  const { secret, write_secret } = await rotate({ read: true, write: true });
  first = { read: secret!, write: write_secret! };
});

describe.each([
  ['read', reads],
  ['write', writes],
] as const)('the secret that %ss', (kind, opens) => {
  const fresh = (made: SiteSecrets) => (kind === 'read' ? made.secret! : made.write_secret!);

  test('opens beside its successor until the overlap is over', async () => {
    const second = fresh(await rotate({ [kind]: true, overlapMs: 24 * HOUR }));
    expect([await opens(first[kind]), await opens(second)]).toEqual([true, true]);
    expect(await crawls(first[kind])).toBe(true);
    room.setNow(now + 24 * HOUR - 1);
    expect(await opens(first[kind])).toBe(true);
    room.setNow(now + 24 * HOUR);
    expect([await opens(first[kind]), await opens(second)]).toEqual([false, true]);
    expect(await crawls(first[kind])).toBe(false);
  });

  test('never opens the other door', async () => {
    await rotate({ [kind]: true, overlapMs: HOUR });
    expect(await (kind === 'read' ? writes : reads)(first[kind])).toBe(false);
  });

  test('each of several old ones has its own end, and they are listed', async () => {
    const second = fresh(await rotate({ [kind]: true, overlapMs: 2 * HOUR }));
    room.setNow(now + HOUR);
    await rotate({ [kind]: true, overlapMs: 24 * HOUR });
    const { old_secrets } = await command<SiteInfo>('GET', path());
    expect(old_secrets).toEqual([
      { kind, until: iso(now + 2 * HOUR) },
      { kind, until: iso(now + 25 * HOUR) },
    ]);
    room.setNow(now + 2 * HOUR);
    expect([await opens(first[kind]), await opens(second)]).toEqual([false, true]);
    expect((await command<SiteInfo>('GET', path())).old_secrets).toHaveLength(1);
  });

  test('ends at once where there is no overlap, and takes the older ones with it', async () => {
    const second = fresh(await rotate({ [kind]: true, overlapMs: HOUR }));
    await rotate({ [kind]: true });
    expect([await opens(first[kind]), await opens(second)]).toEqual([false, false]);
  });
});

test('replacing one kind at once leaves the old ones of the other alone', async () => {
  await rotate({ write: true, overlapMs: HOUR });
  await rotate({ read: true });
  expect([await reads(first.read), await writes(first.write)]).toEqual([false, true]);
});

test('every old secret can be ended at once', async () => {
  const second = await rotate({ read: true, write: true, overlapMs: 24 * HOUR });
  expect(await command('DELETE', `${path()}/secrets`)).toEqual({ apikey: room.site.id, ended: 2 });
  expect([await reads(first.read), await writes(first.write)]).toEqual([false, false]);
  expect([await reads(second.secret!), await writes(second.write_secret!)]).toEqual([true, true]);
});

test('a restart, or another copy of the server, knows the old ones and their ends', async () => {
  await rotate({ read: true, overlapMs: HOUR });
  const there = await openDirectory(room.deps.store.sites, room.deps.now);
  expect(there.find(room.site.id)?.retiring).toEqual(room.deps.sites.find(room.site.id)?.retiring);
  expect(there.find(room.site.id)?.retiring).toHaveLength(1);
});

test('there is a bound on old secrets, which says what to do', async () => {
  for (let turn = 0; turn < 10; turn++) await rotate({ read: true, overlapMs: HOUR });
  expect(await rotate({ read: true, overlapMs: HOUR })).toEqual({
    message: expect.stringContaining(`afterword site revoke-secrets ${room.site.id}`),
  });
});
