// An experiment of a site whose oldest days are removed to make room: it ends while its first reports are there.
import { expect, test } from 'vitest';
import type { Parts } from '../../server/cli/assemble.ts';
import { jobsOf } from '../../server/cli/periodicJobs.ts';
import { createQuotas } from '../../server/sites/quotas.ts';
import { openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const DAY = 86_400_000;
const VARIANTS = [
  { name: 'control', share: 50 },
  { name: 'grid', share: 50, layout: 'grid' },
];
const PARTS = ['announcer', 'alarms', 'delivery', 'diskWatch', 'partners', 'crawler', 'eventPosts', 'readership'];

test('it ends with all its readers before the reports of its first day leave', async () => {
  const room = await openNewsroom({ now: NOW });
  const { deps, site, writeSecret: secret } = room;
  const list = { list: 'related', slot: 'end', layout: 'list', experiment: 'one', shown: true } as const;
  const shown = (day: number, visitor: number) => ({
    visitor: String(visitor),
    time: NOW + day * DAY,
    action: 'list' as const,
    lists: [{ ...list, items: [], variant: visitor % 2 === 0 ? 'grid' : 'control' }],
  });
  try {
    const body = JSON.stringify({ apikey: site.id, secret, add: { name: 'one', slot: 'end', variants: VARIANTS } });
    const headers = { 'Content-Type': 'application/json' };
    await room.app.request('http://stats.example/v2/experiments', { method: 'POST', headers, body });
    for (let day = 0; day < 20; day++)
      await room.happen({ time: NOW + day * DAY }, ...[1, 2, 3, 4].map((visitor) => shown(day, 10 * day + visitor)));
    room.setNow(NOW + 20 * DAY);
    await replaceSite(deps.sites, { ...deps.sites.find(site.id)!, quotas: { maxDisk: 2 ** 20 } });
    const { siteSizes } = deps.store;
    const read = async () => (await siteSizes.read()).map((size) => ({ ...size, bytes: 2 ** 40 }));
    const store = { ...deps.store, siteSizes: { ...siteSizes, read } };
    const { retention } = createQuotas({ ...deps, store, clock: deps.now });
    const others = Object.fromEntries(PARTS.map((part) => [part, {}]));
    const parts = { ...deps, ...others, store, quotas: { retention }, copies: { owns: () => true } };
    const jobs = jobsOf(parts as unknown as Parts, deps);
    await jobs.find(({ name }) => name === 'remove old events')!.run(new AbortController().signal);
    expect(await deps.store.retention.days(site.id)).toHaveLength(7);
    expect((await room.ask('/experiments', { name: 'one' })).data).toMatchObject([
      { ended_by: 'days', result: { readers: 80 } },
    ]);
  } finally {
    await room.close();
  }
});
