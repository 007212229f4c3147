// The wall clock is set back: messages that wait for their next attempt are sent in their usual time, and alarms are raised.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOK_MS } from '../../server/alarms/judge.ts';
import { createMailer } from '../../server/mail/mailer.ts';
import { createDelivery } from '../../server/messages/deliver.ts';
import { createAlarms } from '../../server/messages/raiseAlarms.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { loopbackRules } from '../crawl/support.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { freePorts } from '../support/ports.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { openReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let room: Newsroom;
let receiver: WebhookReceiver;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  receiver = await openReceiver();
});
afterAll(async () => {
  receiver.close();
  await room.close();
});

test('what a receiver refused while the clock was ahead is sent again a minute later', async () => {
  const { deps, site } = room;
  const webhook = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() };
  await replaceSite(deps.sites, { ...site, webhook, alarms: { format: 'json', minimum: 60, since: 0 } });
  const message = { site: site.id, id: 'msg_1', kind: 'experiment.ended', text: 'It ended.', data: {} };
  await deps.store.messages.save({ ...message, at: NOW, until: NOW + 24 * HOUR });
  const delivery = createDelivery({ ...deps, rules: loopbackRules, operator: { mail: [], webhook: undefined } });
  room.setClockWrong(5 * HOUR);
  receiver.answer = { status: 503, headers: {} };
  await delivery.tick();
  room.setClockWrong(0);
  room.setNow(NOW + 2 * MINUTE);
  receiver.answer = { status: 204, headers: {} };
  await delivery.tick();
  expect(receiver.arrived.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_1', 'msg_1']);
  await delivery.tick();
  expect(receiver.arrived).toHaveLength(2);
});

test('a mail server that did not answer is asked again a minute later', async () => {
  const { now, clock } = room.deps;
  const server = { host: '127.0.0.1', port: (await freePorts(1))[0]!, secure: false };
  const mailer = createMailer({ server, from: { name: 'Statistics', address: 'stats@sender.example' }, now, clock });
  const mail = { to: 'anna@example.com', subject: 'Hello', text: 'Hello', html: '', headers: {}, messageId: '<1@x>' };
  expect(await mailer.send(mail)).toMatchObject({ isFinal: false });
  expect(mailer.isResting()).toBe(true);
  room.setClockWrong(-5 * HOUR);
  room.setNow(room.deps.clock!() + 2 * MINUTE);
  expect(mailer.isResting()).toBe(false);
  room.setClockWrong(0);
});

test('a silence is reported, whatever was raised while the clock was three weeks ahead', async () => {
  const { deps, site } = room;
  const webhook = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() };
  const id = parseSiteId('silent.example')!;
  await deps.sites.add({ ...site, id, webhook, alarms: { format: 'json', minimum: 60, since: 0 } });
  const now = deps.now();
  // Steady traffic at this hour for eight weeks, and today until now.
  for (let week = 0; week <= 8; week++) {
    const end = now - week * 168 * HOUR + (week > 0 ? HOUR : 0);
    const views = Array.from({ length: (LOOK_MS + 3 * HOUR) / 10_000 }, (_, at) => {
      const time = end - (at + 1) * 10_000;
      return { site: id, url: `https://${id}/a`, time, day: dayOf(time, 'UTC') };
    });
    await room.happen(...views);
  }
  const at = now + 21 * 24 * HOUR;
  const text = 'It was silent.';
  await deps.store.messages.save({ site: id, id: 'msg_2', kind: 'alarm.silent', text, data: {}, at, until: at + HOUR });
  room.setNow(now - HOUR);
  const alarms = createAlarms({ ...deps, behind: () => 0 });
  room.setNow(now + 5 * MINUTE);
  await alarms.tick();
  const raised = await deps.store.messages.list(id, 0);
  expect(raised.map(({ kind, at }) => [kind, at > deps.now()])).toEqual([
    ['alarm.silent', false],
    ['alarm.silent', true],
  ]);
});
