// Whether a tag works, through the front doors: what is sent, and what the answer says of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventKind, SetUpRecord } from '../../server/contract/setUp.ts';
import { HOUR, MINUTE } from '../../server/durations.ts';
import { BROWSER } from '../support/beacons.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T10:07:30Z');
const PAGE = 'https://paper.example/a';

const LIST = {
  ...{ list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true },
  seen: [[1, 'https://paper.example/b', 'words']],
};

let room: Newsroom;
let sent = 0;

beforeAll(async () => {
  // A day of this zone has begun twenty minutes ago: the minutes are of two days.
  room = await openNewsroom({ now: NOW, timezone: 'Pacific/Kiritimati' });
});
afterAll(() => room.close());

async function send(events: object[], agent = BROWSER): Promise<void> {
  const body = JSON.stringify({
    events: events.map((event) => ({ idsite: room.site.id, url: PAGE, eid: `e${sent++}`, ...event })),
  });
  const answer = await room.app.request('http://stats.example/events', {
    method: 'POST',
    headers: { 'User-Agent': agent },
    body,
  });
  expect(answer.status).toBe(200);
}

const read = async () => (await room.ask('/analytics/setup')).data[0] as unknown as SetUpRecord;
const kindOf = ({ events }: SetUpRecord, kind: EventKind) => events.find((one) => one.kind === kind)!;

test('a site without a tag has nothing, and no reason', async () => {
  const { events, drops, shared } = await read();
  expect(events.map(({ kind, count, last }) => [kind, count, last])).toEqual([
    ['views', 0, null],
    ['heartbeats', 0, null],
    ['lists', 0, null],
    ['other', 0, null],
  ]);
  expect({ drops, shared }).toEqual({ drops: [], shared: false });
});

test('events are counted by kind and minute, with the page of the newest', async () => {
  room.setNow(NOW - 3 * MINUTE);
  await send([{ action: 'pageview' }, { action: 'pageview', url: 'https://paper.example/b' }]);
  room.setNow(NOW);
  await send([
    { action: 'pageview', data: { parsely_site_uuid: 'r' } },
    { action: 'heartbeat', inc: 10, data: { parsely_site_uuid: 'r' } },
    { action: 'list', lists: [LIST], data: { parsely_site_uuid: 'r' } },
    { action: 'share', data: { _network: 'tw' } },
  ]);
  await until('all is stored', async () => kindOf(await read(), 'other').count === 1);
  const seen = await read();
  const views = kindOf(seen, 'views');
  expect(views.count).toBe(3);
  expect(views.course.slice(-4)).toEqual([2, 0, 0, 1]);
  expect(views.last).toEqual({ time: '2040-03-20T10:07:30.000Z', url: PAGE });
  expect([kindOf(seen, 'heartbeats').count, kindOf(seen, 'lists').count]).toEqual([1, 1]);
  expect(seen.period_start).toBe('2040-03-20T09:38:00.000Z');
});

test('what is not stored is counted by reason and minute, for its site alone', async () => {
  await send([{ action: 'pageview', url: 'https://Elsewhere.example:8443/a' }]);
  await send([{ action: 'pageview' }, { action: 'pageview' }], 'Googlebot/2.1');
  await send([{ action: 'nonsense' }, { action: 'pageview', idsite: 'unknown.example' }]);
  const { drops } = await read();
  expect(drops.map(({ reason, count }) => [reason, count])).toEqual([
    ['bot', 2],
    ['foreign-host', 1],
    ['unknown-action', 1],
  ]);
  expect(drops[0]!.course.at(-1)).toBe(2);
  expect(drops.map(({ host }) => host)).toEqual([null, 'elsewhere.example', null]);
});

test('minutes pass, also where the clock is set back; the newest event stays for two days', async () => {
  room.setNow(NOW - HOUR);
  expect((await read()).drops).toEqual([]);
  room.setNow(NOW + 29 * MINUTE);
  expect((await read()).drops.map(({ count }) => count)).toEqual([2, 1, 1]);
  room.setNow(NOW + HOUR);
  const seen = await read();
  expect(seen.drops).toEqual([]);
  expect(kindOf(seen, 'views')).toMatchObject({ count: 0, last: { time: '2040-03-20T10:07:30.000Z' } });
  expect(kindOf(seen, 'lists').last).toMatchObject({ url: PAGE });
  room.setNow(NOW + 49 * HOUR);
  expect(kindOf(await read(), 'views').last).toBeNull();
});

test('a wrong secret is refused', async () => {
  const answer = await room.app.request(`http://stats.example/v2/analytics/setup?apikey=${room.site.id}&secret=wrong`);
  expect(await answer.json()).toMatchObject({ code: 403 });
});

test('the host of a page elsewhere is not named where a shell would run it, pasted in a command', async () => {
  const named = async () => (await read()).drops.find(({ reason }) => reason === 'foreign-host')?.host;
  const hosts = ['$(reboot).example', '`id`', 'a;b', "a'b", '[::1]', '-rf.example'];
  for (const host of hosts) {
    await send([{ action: 'pageview', url: 'https://elsewhere.example/a' }]);
    expect(await named()).toBe('elsewhere.example');
    await send([{ action: 'pageview', url: `https://${host}/a` }]);
    expect(await named()).toBeNull();
  }
});

test('a minute does not begin with what was counted half an hour before', async () => {
  const bots = async () => (await read()).drops.map(({ reason, count }) => [reason, count]);
  room.setNow(NOW + 60 * HOUR);
  await send([{ action: 'pageview' }, { action: 'pageview' }], 'Googlebot/2.1');
  expect(await bots()).toEqual([['bot', 2]]);
  room.setNow(NOW + 60 * HOUR + 30 * MINUTE);
  await send([{ action: 'pageview' }], 'Googlebot/2.1');
  expect(await bots()).toEqual([['bot', 1]]);
});
