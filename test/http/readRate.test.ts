// Questions are let through at a rate by neighbourhood of addresses; a client that asks too much gets the time when to
// come again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2030, 4, 17, 12);

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

/** Somebody behind a proxy of ours. */
function from(app: ReturnType<typeof createApp>, address: string, more = ''): Promise<Response> {
  const path = `/v2/validate/secret?apikey=${room.site.id}&secret=${room.secret}${more}`;
  return Promise.resolve(app.request(path, { headers: { 'X-Forwarded-For': address } }));
}

const passes = async (answer: Response): Promise<boolean> => ((await answer.json()) as { success: boolean }).success;

const limited = () => {
  const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 0.5, burst: 3 } };
  return createApp({ ...room.deps, settings });
};

test('past the burst a network is refused, with the seconds to wait, and others are not', async () => {
  room.setNow(NOW);
  const app = limited();
  const answers = [];
  for (const host of [1, 2, 3, 4]) answers.push(await from(app, `203.0.113.${host}`));
  // Errors travel with HTTP 200, so that a script that is refused runs.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[3]!.headers.get('Retry-After')).toBe('2');
  expect(answers[3]!.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(answers[3]!.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await answers[3]!.json()).toEqual({ code: 429, message: 'Too Many Requests', success: false });
  expect(await passes(await from(app, '198.51.100.1'))).toBe(true);
  expect(await passes(await from(app, '2001:db8::1'))).toBe(true);
  room.setNow(NOW + 2_000);
  expect(await passes(await from(app, '203.0.113.9'))).toBe(true);
});

test.each(['session', 'shares', 'share/abc/session', 'operator/sites', 'api/v2/analytics/posts'])(
  'cookies that are made up are looked up at that rate, too: /console/%s',
  async (path) => {
    room.setNow(NOW);
    const app = limited();
    const codes = [];
    for (let turn = 0; turn < 4; turn++) {
      const id = `${turn}`.repeat(43);
      const headers = { 'X-Forwarded-For': '203.0.113.1', Cookie: `afterword_console=${id}; afterword_share=${id}` };
      codes.push(((await (await app.request(`/console/${path}`, { headers })).json()) as { code: number }).code);
    }
    expect(codes).toEqual([403, 403, 403, 429]);
  },
);

test('an answer names the policy, and how much of it is left', async () => {
  room.setNow(NOW);
  const app = limited();
  const told = async (address: string) => {
    const { headers } = await from(app, address);
    return ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) => headers.get(name));
  };
  const policy = '"questions";q=3;w=6';
  expect(await told('203.0.113.1')).toEqual([policy, '"questions";r=2;t=2', null]);
  expect(await told('203.0.113.1')).toEqual([policy, '"questions";r=1;t=4', null]);
  expect(await told('203.0.113.1')).toEqual([policy, '"questions";r=0;t=6', null]);
  expect(await told('203.0.113.1')).toEqual([policy, '"questions";r=0;t=6', '2']);
  expect(await told('198.51.100.1')).toEqual([policy, '"questions";r=2;t=2', null]);
  room.setNow(NOW + 4_000);
  expect(await told('203.0.113.1')).toEqual([policy, '"questions";r=1;t=4', null]);
  const { headers } = await from(app, '203.0.113.1');
  expect(headers.get('Access-Control-Expose-Headers')).toBe('RateLimit, RateLimit-Policy, Retry-After');
});

test('an expensive list is reported as it is charged', async () => {
  room.setNow(NOW);
  const app = limited();
  const path = `/v2/top/posts?apikey=${room.site.id}`;
  const { headers } = await app.request(path, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  expect(headers.get('RateLimit')).toBe('"questions";r=0;t=42');
});

test('no policy is named where nothing is limited', async () => {
  for (const answer of [
    await from(room.app as ReturnType<typeof createApp>, '203.0.113.1'),
    await from(limited(), '10.0.0.1'),
  ])
    expect([...answer.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

test('a script that is refused is a script', async () => {
  const app = limited();
  for (const _ of [1, 2, 3]) await from(app, '203.0.113.1');
  const answer = await from(app, '203.0.113.1', '&callback=show');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('/**/show({"code":429,"message":"Too Many Requests","success":false});');
});

test('a list as HTML that is refused is not put into a page', async () => {
  const app = limited();
  const headers = { 'X-Forwarded-For': '203.0.113.1' };
  const ask = () => app.request(`/v2/fragment/top?apikey=${room.site.id}`, { headers });
  for (const _ of [1, 2, 3]) await ask();
  const refused = await ask();
  expect([refused.status, refused.headers.get('Content-Type')]).toEqual([429, 'application/json; charset=utf-8']);
});

test('private networks, where an undeclared proxy would be, are not limited', async () => {
  const app = limited();
  for (let turn = 0; turn < 10; turn++) expect(await passes(await from(app, '10.0.0.7'))).toBe(true);
});

test('where no rate is set, all pass', async () => {
  for (let turn = 0; turn < 10; turn++) expect(await passes(await from(room.app, '203.0.113.1'))).toBe(true);
});

describe('a question that costs more than others counts for more', () => {
  const ask = (app: ReturnType<typeof createApp>, path: string) =>
    Promise.resolve(
      app.request(`${path}${path.includes('?') ? '&' : '?'}apikey=${room.site.id}`, {
        headers: { 'X-Forwarded-For': '203.0.113.1' },
      }),
    );
  /** How many seconds a network must wait that asks once, at one request a second. */
  async function debt(path: string): Promise<number> {
    room.setNow(NOW);
    const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 1, burst: 1 } };
    const app = createApp({ ...room.deps, settings });
    expect((await ask(app, path)).status).toBe(200);
    const refused = await ask(app, '/v2/related');
    expect((await ask(app, '/v2/related')).headers.get('Retry-After')).toBe(refused.headers.get('Retry-After'));
    return Number(refused.headers.get('Retry-After'));
  }

  test.each([
    ['/v2/related', 1],
    ['/v2/related?limit=49', 1],
    ['/v2/related?limit=500', 11],
    ['/v2/related?limit=2000', 41],
    ['/v2/related?limit=10&page=200', 41],
    ['/v2/similar?limit=2000', 41],
    ['/v2/search?q=a&limit=2000', 41],
    ['/v2/top/posts', 21],
    ['/v2/fragment/top', 21],
    ['/v2/related?limit=2001', 1],
  ])('%s waits %i s', async (path, seconds) => {
    expect(await debt(path)).toBe(seconds);
  });

  test('the time that passes while it is answered is credited once', async () => {
    room.setNow(NOW);
    const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 1, burst: 30 } };
    let isFirst = true;
    const exclusions = {
      ...room.deps.exclusions,
      async of(site: SiteId) {
        if (isFirst) {
          isFirst = false;
          // Ten seconds later another one of the network comes, with whom the burst is full again.
          room.setNow(NOW + 10_000);
          expect((await ask(app, '/v2/validate/secret')).headers.get('RateLimit')).toBe('"questions";r=29;t=1');
        }
        return await room.deps.exclusions.of(site);
      },
    };
    const app = createApp({ ...room.deps, exclusions, settings });
    const page = encodeURIComponent('https://paper.example/a');
    // Short of posts, it is filled up from a list that the database makes.
    const { headers } = await ask(app, `/v2/fragment/related?url=${page}`);
    expect(headers.get('RateLimit')).toBe('"questions";r=9;t=21');
  });

  test('a list that is ready in memory does not', async () => {
    room.setNow(NOW);
    const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 1, burst: 31 } };
    const app = createApp({ ...room.deps, settings });
    const answers = [];
    for (let turn = 0; turn < 10; turn++) answers.push(await passes(await ask(app, '/v2/top/posts?callback=')));
    expect(answers).toEqual(Array(10).fill(true));
    expect(await passes(await ask(app, '/v2/top/posts?days=2'))).toBe(true);
    expect(await passes(await ask(app, '/v2/top/posts?days=3'))).toBe(false);
  });
});
