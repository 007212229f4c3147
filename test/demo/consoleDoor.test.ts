// The demonstration's way into the console: one click signs its visitor in, at this machine.
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsoleDoor } from '../../demo/paper/consoleDoor.ts';
import { createSessions } from '../../server/console/sessions.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 1) });
});
afterAll(() => room.close());

/** A visitor's click on the link. */
async function click(url: string, { peer = '127.0.0.1', from = 'none', afterword = 'http://localhost:8080' } = {}) {
  const door = openConsoleDoor(createSessions(room.deps), { site: () => room.site, afterword: new URL(afterword) });
  const connection = { incoming: { socket: { remoteAddress: peer } } } as unknown as HttpBindings;
  const answer = await new Hono()
    .get('/_console', door)
    .request(url, { headers: { 'Sec-Fetch-Site': from } }, connection);
  return { cookie: answer.headers.get('Set-Cookie'), location: answer.headers.get('Location') };
}

test.each(['localhost', '127.0.0.1'])('signs its visitor in and leads to the console of %s', async (host) => {
  const { cookie, location } = await click(`http://${host}:8090/_console`);
  expect(location).toBe(`http://${host}:8080/console/`);
  expect(cookie).toMatch(/; Path=\/console; HttpOnly; SameSite=Strict$/);
  const answer = await room.app.request('http://stats.example/console/session', {
    headers: { Cookie: cookie!.split(';')[0]! },
  });
  expect(await answer.json()).toMatchObject({ data: { site: room.site.id, role: 'act' } });
});

test.each([
  ['another machine', 'http://localhost:8090/_console', { peer: '192.168.1.7' }],
  ['a name that an attacker leads here', 'http://evil.example:8090/_console', {}],
  ['a page of another site', 'http://localhost:8090/_console', { from: 'cross-site' }],
  ['a server at a public address', 'http://localhost:8090/_console', { afterword: 'https://stats.example.com' }],
])('signs in from this machine alone: not for %s', async (_, url, of) => {
  const { cookie, location } = await click(url, of);
  expect(cookie).toBeNull();
  expect(location).toMatch(/\/console\/$/);
});
