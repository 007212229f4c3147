// Pages that are read for clients without a secret: how many at once, whichever networks ask.
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Deps } from '../../server/context.ts';
import { createBoundedReads } from '../../server/preview/boundedReads.ts';

test('two pages are read at once, whichever networks ask; the next one as soon as one of them is read', async () => {
  const { crawler, settings } = { crawler: {}, settings: { trustedProxies: 1 } } as Pick<Deps, 'crawler' | 'settings'>;
  const reads = createBoundedReads({ crawler, settings, clock: () => 0, log: pino({ level: 'silent' }) });
  const underWay: ((answer: Response) => void)[] = [];
  const app = new Hono();
  app.get('/', (c) => reads.admitted(c, () => new Promise<Response>((done) => underWay.push(done))));
  let network = 0;
  const ask = () => app.request('/', { headers: { 'X-Forwarded-For': `192.0.${++network}.1` } });
  const first = [ask(), ask()];
  const refused = await ask();
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
  underWay[0]!(new Response('read'));
  expect((await first[0]!).status).toBe(200);
  const next = ask();
  expect((await ask()).status).toBe(429);
  for (const done of underWay) done(new Response('read'));
  expect([(await first[1]!).status, (await next).status]).toEqual([200, 200]);
});
