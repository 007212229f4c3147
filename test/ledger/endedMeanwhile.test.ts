// Experiments that end by themselves, beside one that an editor stops while its readers are counted.
import { expect, test } from 'vitest';
import { endDecided } from '../../server/rankings/experimentResults.ts';
import { openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const DAY = 86_400_000;
const VARIANTS = [
  { name: 'control', share: 50 },
  { name: 'grid', share: 50, layout: 'grid' },
];

test('one that was stopped meanwhile stays so, and the others end', async () => {
  const room = await openNewsroom({ now: NOW });
  const { deps, site, writeSecret: secret } = room;
  const change = async (what: object) => {
    const body = JSON.stringify({ apikey: site.id, secret, ...what });
    const headers = { 'Content-Type': 'application/json' };
    return await room.app.request('http://stats.example/v2/experiments', { method: 'POST', headers, body });
  };
  try {
    for (const name of ['one', 'two']) await change({ add: { name, slot: `slot-${name}`, variants: VARIANTS } });
    room.setNow(NOW + 90 * DAY);
    const { traffic } = deps.store;
    const stops: Promise<Response>[] = [];
    const run: typeof traffic.run = async (query) => {
      if (stops.length === 0) await stops[stops.push(change({ stop: 'one' })) - 1];
      return await traffic.run(query);
    };
    const ended = await endDecided({ ...deps, store: { traffic: { run } } }, deps.sites.find(site.id)!, deps.now());
    expect(ended.map(({ name, endedBy }) => [name, endedBy])).toEqual([['two', 'days']]);
    expect((await room.ask('/experiments')).data).toMatchObject([
      { name: 'one', ended_by: 'command' },
      { name: 'two', ended_by: 'days' },
    ]);
  } finally {
    await room.close();
  }
});

test('one of a site that keeps its events for less ends before its first reports are removed', async () => {
  const room = await openNewsroom({ now: NOW });
  const { deps, site, writeSecret: secret } = room;
  try {
    await replaceSite(deps.sites, { ...site, quotas: { keepEvents: 30 } });
    const body = JSON.stringify({ apikey: site.id, secret, add: { name: 'one', slot: 'end', variants: VARIANTS } });
    const headers = { 'Content-Type': 'application/json' };
    await room.app.request('http://stats.example/v2/experiments', { method: 'POST', headers, body });
    const endedAfter = async (days: number) =>
      (await endDecided(deps, deps.sites.find(site.id)!, NOW + days * DAY)).map(({ endedBy }) => endedBy);
    expect(await endedAfter(28)).toEqual([]);
    expect(await endedAfter(29.1)).toEqual(['days']);
  } finally {
    await room.close();
  }
});
