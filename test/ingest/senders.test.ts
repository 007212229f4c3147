// Batches and pixels sent again, at once and after a restart; which sites a sender may report for; browsers that ask
// first.
import { expect, test } from 'vitest';
import { newPage, newsroom, now } from './newsroom.ts';

const room = newsroom();
const { stored } = room;

test('an app that sends its batch again, with Site IDs mixed, counts once', async () => {
  const url = newPage();
  const batch = {
    events: [
      { idsite: 'news.example', action: 'pageview', url, data: { ts: now - 2000, parsely_site_uuid: 'd' } },
      { idsite: 'nobody.example', action: 'pageview', url, data: { ts: now - 1500, parsely_site_uuid: 'd' } },
      { idsite: 'news.example', action: 'heartbeat', inc: 5, url, data: { ts: now - 1000, parsely_site_uuid: 'd' } },
    ],
  };
  for (const ip of ['203.0.113.7', '198.51.100.1', '203.0.113.7']) await room.post(batch, { ip }, '/mobileproxy');
  expect(await stored(url)).toHaveLength(2);
  expect(room.count('duplicate')).toBe(4);
});

test.each(['apps of today', 'old apps'])(
  'a batch of %s that comes over many connections at once counts once, also after a restart',
  async (kind) => {
    const url = newPage();
    const data = { parsely_site_uuid: 'd' };
    const events = [1, 2, 3].map((n) => ({ url, ts: now - n, action: 'pageview', idsite: 'news.example', data }));
    const rqs = JSON.stringify({ data: { idsite: 'news.example' }, events });
    const body = kind === 'old apps' ? new URLSearchParams({ rqs }).toString() : { events };
    const send = () => room.post(body, { userAgent: 'okhttp/4.12.0' }, '/mobileproxy');
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await stored(url)).toHaveLength(3);
    await room.restart();
    expect((await send()).status).toBe(200);
    expect(await stored(url)).toHaveLength(3);
    expect(room.count('duplicate')).toBe(3);
  },
);

test('two readers without an id who send the same event are two, and each of them counts once', async () => {
  const url = newPage();
  const event = { idsite: 'news.example', action: 'pageview', url, date: String(now - 2000) };
  for (const ip of ['203.0.113.7', '198.51.100.1', '203.0.113.7']) await room.pixel(event, { ip });
  expect(await stored(url)).toHaveLength(2);
  expect(room.count('duplicate')).toBe(1);
});

test('a reader of an app without an id is one reader of the day on which the events come, however old they are', async () => {
  const url = newPage();
  const days = [0, 3, 0, 1];
  const events = days.map((day, n) => ({ ts: now - day * 24 * 3_600_000 - n, url, action: 'pageview' }));
  for (const event of events)
    await room.post({ events: [{ idsite: 'news.example', ...event }] }, { userAgent: 'okhttp/4.12.0' }, '/mobileproxy');
  const visitors = (await stored(url)).map(({ visitor }) => visitor);
  expect(visitors).toHaveLength(days.length);
  expect(new Set(visitors).size).toBe(1);
});

test('page views with ids of their own are different ones, whatever else they share', async () => {
  const url = newPage();
  const shared = { idsite: 'news.example', action: 'pageview', url, data: { ts: now - 2000, parsely_site_uuid: 'd' } };
  const events = ['1', '2', '3', '3'].map((pvid) => ({ ...shared, pvid }));
  for (const _ of ['sent', 'sent again']) await room.post({ events }, {}, '/mobileproxy');
  expect(await stored(url)).toHaveLength(3);
  expect(room.count('duplicate')).toBe(5);
});

test('a batch of an app that was offline for three days counts on its day, and once, also after a restart', async () => {
  const url = newPage();
  const ts = now - 3 * 24 * 3_600_000;
  const event = { idsite: 'news.example', action: 'pageview', url, data: { ts, parsely_site_uuid: 'd' } };
  const send = () => room.post({ events: [event] }, { userAgent: 'okhttp/4.12.0' }, '/mobileproxy');
  await send();
  await send();
  await room.restart();
  await send();
  expect(await stored(url)).toMatchObject([{ day: '2026-11-17', time: ts }]);
  expect(room.count('duplicate')).toBe(1);
});

test('a batch of an app that was offline for nearly seven days counts once, also after a merge of the table and a restart', async () => {
  const url = newPage();
  const today = Date.now();
  const ts = today - 6.9 * 24 * 3_600_000;
  const event = { idsite: 'news.example', action: 'pageview', url, data: { ts, parsely_site_uuid: 'd' } };
  for (const _ of ['sent', 'sent again']) {
    await room.restart({ now: () => today });
    await room.post({ events: [event] }, { userAgent: 'okhttp/4.12.0' }, '/mobileproxy');
    await room.sql('SYSTEM START TTL MERGES events');
    await room.sql('OPTIMIZE TABLE events FINAL');
    await room.sql('SYSTEM STOP TTL MERGES events');
  }
  expect(await stored(url)).toHaveLength(1);
});

test('visitors a server reports for are distinguished by the addresses it names', async () => {
  const url = newPage();
  const query = { idsite: 'news.example', action: 'pageview', url };
  for (const ip_address of ['198.51.100.1', '198.51.100.2', '198.51.100.1', 'not an address']) {
    await room.pixel({ ...query, ip_address }, { ip: '192.0.2.10' });
  }
  expect(new Set((await stored(url)).map((row) => row.visitor)).size).toBe(3);
});

test('OPTIONS is answered at every door', async () => {
  for (const path of ['/events', '/mobileproxy', '/plogger', '/plogger/', '/px', '/px/']) {
    const answer = await room.request(path, { method: 'OPTIONS' });
    expect([path, answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([path, 204, '*']);
  }
});

test('each post that is opened from a list is reported to the crawler once it is stored, and none that was only seen', async () => {
  const told: string[] = [];
  await room.restart({ clicked: (_site, url) => told.push(url) });
  const [page, seen, clicked] = [newPage(), newPage(), newPage()];
  const list = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '' };
  const reports = [
    { ...list, shown: true, seen: [seen, clicked].map((url, at) => [at + 1, url, 'words']) },
    { ...list, clicked: [[2, clicked, 'words']] },
  ];
  const of = { idsite: 'news.example', action: 'list', url: page };
  await room.post({ events: reports.map((one) => ({ ...of, lists: [one] })) });
  expect(told).toEqual([clicked]);
});
