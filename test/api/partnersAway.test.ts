// A partner that makes a site while the database is away.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';

import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 10, 12) });
});
afterAll(() => room?.close());

test('a site whose secrets could not be answered is no site, and its name can be asked for again', async () => {
  const { deps } = room;
  const secret = createReadSecret();
  await deps.partners.add({ name: 'agency', secretHash: hashSecret(secret), createdAt: deps.now() });
  let isAway = true;
  const partners = {
    ...deps.store.partners,
    own: async (...of: Parameters<typeof deps.store.partners.own>) => {
      if (isAway) throw new StoreUnavailableError('away');
      await deps.store.partners.own(...of);
    },
  };
  const app = createApp({ ...deps, store: { ...deps.store, partners } });
  const make = async () => {
    const body = JSON.stringify({ apikey: 'customer.example' });
    const answer = await app.request(`/api/agency/settings/apikeys?secret=${secret}`, { method: 'POST', body });
    return (await answer.json()) as Answer;
  };
  expect((await make()).success).toBe(false);
  expect(deps.sites.find('customer.example')).toBeUndefined();
  isAway = false;
  expect(await make()).toMatchObject({ success: true, data: [{ apikey: 'customer.example' }] });
});
