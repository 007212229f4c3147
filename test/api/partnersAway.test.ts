// A partner makes a site, and the database goes away, or the server is killed, in the middle of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';

const secret = createReadSecret();

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 10, 12) });
  const { partners, now } = room.deps;
  await partners.add({ name: 'agency', secretHash: hashSecret(secret), createdAt: now() });
});
afterAll(() => room?.close());

/** A server whose database goes away, or that is killed, when this much of a site is stored. */
function partnerOf({ deps }: Newsroom, broken: { own?: boolean; save?: boolean }) {
  const refuse = (isAway: boolean | undefined) => {
    if (isAway) throw new StoreUnavailableError('away');
  };
  const store = {
    ...deps.store,
    partners: {
      ...deps.store.partners,
      own: async (...of: Parameters<typeof deps.store.partners.own>) => {
        refuse(broken.own);
        await deps.store.partners.own(...of);
      },
    },
  };
  const sites: typeof deps.sites = {
    ...deps.sites,
    add: (site, before) =>
      deps.sites.add(site, async () => {
        await before?.();
        refuse(broken.save);
      }),
    // It is away for what would tidy up, too.
    remove: async (id) => {
      refuse(broken.own);
      await deps.sites.remove(id);
    },
  };
  const app = createApp({ ...deps, store, sites });
  const path = `/api/agency/settings/apikeys?secret=${secret}`;
  return {
    make: async (apikey: string) => {
      const answer = await app.request(path, { method: 'POST', body: JSON.stringify({ apikey }) });
      return (await answer.json()) as Answer;
    },
    list: async () => {
      const answer = await app.request(path);
      return ((await answer.json()) as { data: { apikey: string }[] }).data.map(({ apikey }) => apikey);
    },
  };
}

test.each([
  ['before its partner is stored', { own: true }],
  ['before the site is stored', { save: true }],
])('a site that breaks off %s is no site, and its partner can ask for its name again', async (_, broken) => {
  const { deps } = room;
  const apikey = `${Object.keys(broken)[0]}.example`;
  const breaking = partnerOf(room, broken);
  expect((await breaking.make(apikey)).success).toBe(false);
  expect(deps.sites.find(apikey)).toBeUndefined();
  expect(await breaking.list()).not.toContain(apikey);
  const agency = partnerOf(room, {});
  expect(await agency.make(apikey)).toMatchObject({ success: true, data: [{ apikey }] });
  expect(await agency.list()).toContain(apikey);
});

test('a site that breaks off and is made by the operator later is not the partner’s', async () => {
  const { deps, site } = room;
  const id = parseSiteId('later.example')!;
  await partnerOf(room, { save: true }).make(id);
  const made = { ...site, id, createdAt: deps.now() + 1 };
  await deps.sites.add(made);
  expect(await partnerOf(room, {}).list()).not.toContain(id);
  expect(await deps.store.partners.makers([made])).toEqual(new Map());
});
