// Alarms, sent to the webhook of their site: what arrives, in which form, how often, and when nothing is said.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOOK_MS } from '../../server/alarms/judge.ts';
import type { ExperimentResult } from '../../server/contract/experiments.ts';
import { HOUR, MINUTE, QUARTER } from '../../server/durations.ts';
import type { Experiment } from '../../server/experiments/experiment.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { createDelivery } from '../../server/messages/deliver.ts';
import { type AlarmOptions, createAlarms } from '../../server/messages/raiseAlarms.ts';
import type { AlarmSettings } from '../../server/sites/alarmSettings.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { loopbackRules } from '../crawl/support.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { openReceiver, signatureOf, type WebhookReceiver } from '../support/webhookReceiver.ts';

const WEEK = 168 * HOUR;
/** A Tuesday. */
const NOW = Date.parse('2040-03-20T16:30:00Z');
const PER_QUARTER = 90;
const EVERY = QUARTER / PER_QUARTER;

const secret = createWebhookSecret();
let room: Newsroom;
let receiver: WebhookReceiver;
let number = 0;
let week = 0;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  receiver = await openReceiver();
});
afterAll(async () => {
  receiver.close();
  await room.close();
});
beforeEach(async () => {
  receiver.arrived.length = 0;
  receiver.answer = { status: 204, headers: {} };
  for (const { alarms: _, ...site } of room.deps.sites.list()) await replaceSite(room.deps.sites, site);
  week += 1;
  room.setNow(NOW + week * WEEK);
});

/** A start of the server, at once or some time ago. */
function start({ ago = 0, ...how }: { ago?: number } & Partial<Pick<AlarmOptions, 'behind' | 'exclusions'>> = {}) {
  const now = room.deps.now();
  room.setNow(now - ago);
  const alarms = createAlarms({ ...room.deps, behind: () => 0, ...how });
  const operator = { mail: [], webhook: undefined };
  const delivery = createDelivery({ ...room.deps, rules: loopbackRules, operator });
  room.setNow(now);
  const tick = async () => {
    for (const job of [alarms.tick, alarms.makePages, delivery.tick]) await job();
  };
  return { tick, alarms, delivery, waiting: delivery.waiting };
}

/** A site that had steady traffic at this hour for some weeks, and since some hours until now. */
async function steadySite(settings: Partial<AlarmSettings> = {}, { until = room.deps.now(), known = 8 } = {}) {
  number += 1;
  const site: Site = {
    ...room.site,
    id: parseSiteId(`paper-${number}.example`)!,
    webhook: { url: `${receiver.origin}/hook`, secret },
    alarms: { format: 'json', minimum: 60, since: 0, ...settings },
  };
  await room.deps.sites.add(site);
  const now = room.deps.now();
  const weeks = Array.from({ length: known }, (_, week) => now - (week + 1) * WEEK);
  const past = weeks.map((end) => views(site, end - LOOK_MS - HOUR, end + HOUR));
  await room.happen(...past.flat(), ...views(site, now - LOOK_MS - HOUR, until));
  return site;
}

function views(site: Site, from: number, to: number, every = EVERY): Partial<EventRow>[] {
  const some: Partial<EventRow>[] = [];
  for (let time = from; time < to; time += every)
    some.push({ site: site.id, url: 'https://paper.example/a', time: Math.floor(time), day: dayOf(time, 'UTC') });
  return some;
}

const wait = (time: number) => room.setNow(room.deps.now() + time);
const bodies = () => receiver.arrived.map(({ body }) => JSON.parse(body));

test('a tag that fell silent is reported once, signed, whatever is restarted and however many copies run', async () => {
  const { id } = await steadySite();
  wait(5 * MINUTE);
  const [one, other] = [start({ ago: HOUR }), start({ ago: HOUR })];
  await one.tick();
  await other.tick();
  const [first] = bodies();
  expect(first).toMatchObject({
    type: 'alarm.silent',
    timestamp: new Date(room.deps.now() - 5_000).toISOString(),
    data: { apikey: id, views: 0, expected: expect.closeTo(30, -1) },
  });
  expect(first.text).toMatch(/^paper-1\.example: no view for 5 minutes, since Tue 16:2\d; about [23]\d were to be/);
  expect(receiver.arrived[0]!.headers['webhook-signature']).toBe(signatureOf(receiver.arrived[0]!, secret));
  expect(receiver.arrived).toHaveLength(1);

  const again = start();
  for (let hours = 0; hours < 5; hours += 0.25) {
    await again.tick();
    await one.tick();
    wait(HOUR / 4);
  }
  expect(receiver.arrived).toHaveLength(1);
});

test('three times the usual views are reported within five minutes, and their end is not', async () => {
  const site = await steadySite();
  const alarms = start({ ago: 2 * HOUR });
  let minutes = 0;
  for (; receiver.arrived.length === 0 && minutes < 10; minutes++) {
    await room.happen(...views(site, room.deps.now(), room.deps.now() + MINUTE, EVERY / 3));
    wait(MINUTE);
    await alarms.tick();
  }
  expect(minutes).toBeLessThanOrEqual(5);
  const { type, text, data } = bodies()[0];
  expect(type).toBe('alarm.spike');
  expect(data.usual.median).toBe(30);
  expect(data.views).toBeGreaterThan(60);
  expect(text).toContain('views of all pages in the 5 minutes up to Tue 16:3');
  for (let after = 0; after < 30; after++) {
    await room.happen(...views(site, room.deps.now(), room.deps.now() + MINUTE));
    wait(MINUTE);
    await alarms.tick();
  }
  expect(receiver.arrived).toHaveLength(1);
});

test('a third of the usual views is reported, with the weeks that say what is usual', async () => {
  const site = await steadySite({}, { known: 3 });
  await room.happen(...views(site, room.deps.now(), room.deps.now() + 20 * MINUTE, EVERY * 5));
  wait(20 * MINUTE);
  await start({ ago: 2 * HOUR }).tick();
  expect(bodies()).toMatchObject([{ type: 'alarm.slump', text: expect.stringContaining('of 3 weeks: 90 to 90)') }]);
});

test('usual traffic, a site that is read too little, and one that is new raise nothing', async () => {
  await steadySite();
  await start({ ago: 2 * HOUR }).tick();
  await steadySite({ minimum: 500 }, { until: room.deps.now() - 10 * MINUTE });
  await start({ ago: 2 * HOUR }).tick();
  const fresh = { ...room.site, id: parseSiteId('fresh.example')! };
  await room.deps.sites.add({
    ...fresh,
    webhook: { url: receiver.origin, secret },
    alarms: { format: 'json', minimum: 1, since: 0 },
  });
  await room.happen(...views(fresh, room.deps.now() - LOOK_MS, room.deps.now() - HOUR));
  await start({ ago: 2 * HOUR }).tick();
  expect(receiver.arrived).toEqual([]);
});

test('what the server missed itself, or has not stored yet, is no silence', async () => {
  await steadySite();
  wait(10 * MINUTE);
  await start().tick();
  let behind = 60_000;
  const alarms = start({ ago: HOUR, behind: () => behind });
  await alarms.tick();
  behind = 0;
  wait(MINUTE);
  await alarms.tick();
  expect(receiver.arrived).toEqual([]);
  wait(10 * MINUTE);
  await alarms.tick();
  expect(bodies()).toMatchObject([{ type: 'alarm.silent' }]);
  // The last view came 21 minutes ago; of the first 11 it is not known whether there were others.
  expect(bodies()[0].text).toMatch(
    /: no view for 11 minutes, since they are counted again, Tue 16:39 \(the last one before came Tue 16:29\); about [56]\d were/,
  );
});

test('quiet hours of the site keep an alarm back; what continues is reported after them', async () => {
  await steadySite({ quiet: { from: 16 * 60, to: 16 * 60 + 50 } });
  wait(5 * MINUTE);
  const alarms = start({ ago: HOUR });
  await alarms.tick();
  expect(receiver.arrived).toEqual([]);
  wait(15 * MINUTE);
  await alarms.tick();
  expect(bodies()).toMatchObject([{ type: 'alarm.silent' }]);
});

test.each([
  ['of hours, in most of which the site is quiet,', 5, { quiet: { from: 16 * 60, to: 21 * 60 } }],
  ['of a day', 25, {}],
])('a silence %s is reported once, with what its last hours were expected to have', async (_, hours, settings) => {
  const site = await steadySite(settings);
  const last = room.deps.now() - EVERY;
  const past = Array.from({ length: 8 }, (__, weeksAgo) => {
    const end = room.deps.now() + hours * HOUR - (weeksAgo + 1) * WEEK;
    return views(site, end - LOOK_MS - HOUR, end + HOUR);
  });
  await room.happen(...past.flat());
  wait(hours * HOUR);
  const alarms = start({ ago: hours * HOUR + HOUR });
  await alarms.tick();
  await alarms.tick();
  expect(bodies()).toMatchObject([{ type: 'alarm.silent' }]);
  expect(Math.abs(Date.parse(bodies()[0].data.start) - last)).toBeLessThanOrEqual(EVERY);
  expect(bodies()[0].text).toMatch(/about 1,\d{3} were to be expected in the last 3 hours/);
});

test('an alarm that is refused comes again under the same id, also after a restart, for twelve hours', async () => {
  await steadySite();
  wait(5 * MINUTE);
  receiver.answer = { status: 503, headers: {} };
  const alarms = start({ ago: HOUR });
  await alarms.tick();
  expect(alarms.waiting()).toBe(1);
  wait(MINUTE);
  const restarted = start();
  await restarted.tick();
  receiver.answer = { status: 200, headers: {} };
  wait(2 * MINUTE);
  await restarted.tick();
  expect(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.arrived).toHaveLength(3);
  expect(restarted.waiting()).toBe(0);

  await steadySite();
  wait(5 * MINUTE);
  receiver.answer = { status: 503, headers: {} };
  await start({ ago: HOUR }).tick();
  const before = receiver.arrived.length;
  receiver.answer = { status: 200, headers: {} };
  wait(13 * HOUR);
  await start().tick();
  expect(receiver.arrived).toHaveLength(before);
});

const EXPERIMENT: Experiment = {
  ...{ name: 'grid', slot: 'end', goal: 'clicks', readers: 100, state: 'stopped', variants: [], startedAt: 0 },
};

test('experiments that ended by themselves are reported once, in the form of Slack where that is asked for', async () => {
  const site = await steadySite({ format: 'slack' });
  const result = { says: ['b wins <!here> & leads.', 'Give b.'] } as unknown as ExperimentResult;
  const stoppedAt = room.deps.now() - MINUTE;
  await replaceSite(room.deps.sites, {
    ...site,
    experiments: [
      { ...EXPERIMENT, stoppedAt, endedBy: 'decision', result },
      { ...EXPERIMENT, name: 'lossy', stoppedAt, endedBy: 'decision', result: { ...result, verdict: 'broken' } },
      { ...EXPERIMENT, name: 'by-hand', stoppedAt, endedBy: 'command' },
      { ...EXPERIMENT, name: 'long-ago', stoppedAt: stoppedAt - 10 * WEEK, endedBy: 'decision' },
    ],
  });
  for (const again of [start(), start()]) await again.tick();
  const ended = (name: string, why: string) => ({
    text: `${site.id}: the experiment ${name} has ended, because ${why}. b wins &lt;!here&gt; &amp; leads. Give b.`,
  });
  const both = [ended('grid', 'it is decided'), ended('lossy', 'readers do not come in its shares')];
  expect(new Set(bodies())).toEqual(new Set(both));
});

test('no alarm waits for a morning page that takes long', async () => {
  await steadySite({ morning: 16 * 60 });
  wait(5 * MINUTE);
  const { alarms, delivery } = start({ ago: HOUR, exclusions: { of: () => new Promise(() => {}) } });
  void alarms.makePages();
  await alarms.tick();
  await delivery.tick();
  expect(bodies()).toMatchObject([{ type: 'alarm.silent' }]);
});

test('the morning page is sent once a day, at its time in the zone of the site', async () => {
  const site = await steadySite({ morning: 17 * 60 });
  const alarms = start();
  await alarms.tick();
  expect(receiver.arrived).toEqual([]);
  await room.happen(...views(site, room.deps.now(), room.deps.now() + HOUR));
  wait(40 * MINUTE);
  await alarms.tick();
  await start().tick();
  expect(bodies()).toMatchObject([{ type: 'digest.morning', data: { apikey: site.id, day: expect.any(String) } }]);
  expect(bodies()[0].text).toContain(`${site.id}, Monday `);
});

test('the morning page of a late evening comes at its time, and not at midnight', async () => {
  await steadySite({ morning: 23 * 60, minimum: 1e6 });
  const days = () => bodies().map(({ data }) => new Date(data.day).getTime() / (24 * HOUR));
  const alarms = start();
  for (const time of [6 * HOUR + 40 * MINUTE, HOUR, 23 * HOUR, HOUR]) {
    wait(time);
    await alarms.tick();
  }
  expect(bodies().map(({ type }) => type)).toEqual(['digest.morning', 'digest.morning']);
  expect(days()[1]! - days()[0]!).toBe(1);
});
