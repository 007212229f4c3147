// Commands and requests that meet: what another one, or another copy of the server, has changed a moment before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '../../server/cli/admin.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.parse('2040-03-20T16:30:00Z') });
});
afterAll(() => room.close());

/** As a command asks. */
async function ask(method: string, path: string, body: object) {
  const answer = await createAdmin(room.deps as never).request(path, { method, body: JSON.stringify(body) });
  return { status: answer.status, ...((await answer.json()) as { message?: string; secret?: string }) };
}

test('a change of a site that another copy of the server has removed meanwhile is refused in words', async () => {
  await room.deps.store.sites.remove(room.site.id);
  expect(await ask('PATCH', `/sites/${room.site.id}`, { timezone: 'Europe/Madrid' })).toEqual({
    status: 422,
    message: 'There is no site paper.example. Those there are: afterword site list',
    exitCode: 1,
  });
  const body = JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, dials: { mix: 0.6 } });
  const asked = await room.app.request('http://stats.example/v2/settings', { method: 'POST', body });
  expect(await asked.json()).toEqual({ code: 403, message: 'Forbidden', success: false });
});

test('of two commands that make the same partner at once the second is refused, and the secret of the first stays', async () => {
  const admin = createAdmin(room.deps as never);
  const add = async () => {
    const answer = await admin.request('/partners', { method: 'POST', body: JSON.stringify({ partner: 'twin' }) });
    return { status: answer.status, ...((await answer.json()) as { message?: string; secret?: string }) };
  };
  const [first, second] = await Promise.all([add(), add()]);
  expect(second).toEqual({ status: 422, message: 'There is a partner twin already.', exitCode: 1 });
  expect(hashSecret(first.secret!)).toBe(room.deps.partners.find('twin')?.secretHash);
});
