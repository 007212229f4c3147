// Alarms of a server whose machine slept: nothing is said of the time that it slept through.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOK_MS } from '../../server/alarms/judge.ts';
import { createAlarms } from '../../server/messages/raiseAlarms.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WEEK = 168 * HOUR;
/** A Tuesday. */
const NOW = Date.parse('2040-03-20T16:30:00Z');
const EVERY = 10 * SECOND;

let room: Newsroom;
let site: Site;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  site = {
    ...room.site,
    id: parseSiteId('asleep.example')!,
    webhook: { url: 'https://cms.example/hook', secret: createWebhookSecret() },
    alarms: { format: 'json', minimum: 60, since: 0 },
  };
  await room.deps.sites.add(site);
  // Steady traffic at this hour for eight weeks, and today until now.
  const ends = Array.from({ length: 8 }, (_, week) => NOW - (week + 1) * WEEK + 2 * HOUR);
  for (const end of [...ends, NOW]) await room.happen(...views(end - LOOK_MS - 3 * HOUR, end));
});
afterAll(() => room.close());

const views = (from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / EVERY) }, (_, at) => {
    const time = from + at * EVERY;
    return { site: site.id, url: 'https://asleep.example/a', time, day: dayOf(time, 'UTC') };
  });

const pass = (time: number) => room.setNow(room.deps.now() + time);
const raised = async () => (await room.deps.store.messages.list(site.id, 0)).map(({ kind, text }) => ({ kind, text }));

test('that no view came while the machine slept is no silence; that none comes afterwards is one', async () => {
  const alarms = createAlarms({ ...room.deps, behind: () => 0 });
  const awake = (time: number) => {
    for (let passed = 0; passed < time; passed += 10 * SECOND) {
      pass(10 * SECOND);
      alarms.notice();
    }
  };
  await room.happen(...views(NOW, NOW + 20 * MINUTE));
  awake(20 * MINUTE);
  await alarms.tick();
  pass(HOUR / 2);
  // After the sleep the alarms may be due before the pause is looked for.
  for (const job of [alarms.tick, alarms.notice, alarms.tick]) await job();
  expect(await raised()).toEqual([]);
  awake(10 * MINUTE);
  await alarms.tick();
  expect(await raised()).toEqual([
    {
      kind: 'alarm.silent',
      text: expect.stringMatching(/: no view for (?:9|10) minutes, since they are counted/),
    },
  ]);
});
