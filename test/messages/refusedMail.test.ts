// Addresses that the mail server does not take now: whose mails wait for them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TOPICS } from '../../server/sites/mail.ts';
import { type MailRoom, openMailRoom, startMailing } from '../support/mailing.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let of: MailRoom;
beforeAll(async () => {
  of = await openMailRoom();
});
afterAll(() => of?.close());
beforeEach(async () => {
  const { deps, site } = of.room;
  of.mails.taken.length = 0;
  of.room.setNow(deps.now() + 7 * DAY);
  const to = (name: string) => ({ id: name, address: `${name}@reader.example`, gets: TOPICS, morning: 0, since: 0 });
  await deps.sites.change(site.id, (current) => ({ ...current, mail: ['anna', 'berta', 'carla'].map(to) }));
  await deps.store.messages.save(message());
});

/** Which all recipients get. */
const message = () => {
  const at = of.room.deps.now();
  const about = { site: of.room.site.id, id: `msg_${at}`, kind: 'experiment.ended', text: 'ended' };
  return { ...about, at, until: at + DAY, data: { experiment: 'grid' } };
};

const takenBy = () => of.mails.taken.map(({ to }) => to[0]!.split('@')[0]);

test('an address that is refused for now keeps no mail of another one waiting', async () => {
  const { room, mails } = of;
  mails.refuse = { recipient: [451, '4.7.1 greylisted, try again later'], address: 'anna@reader.example' };
  const { delivery } = startMailing(room, mails);
  await delivery.tick();
  expect(takenBy()).toEqual(['berta', 'carla']);
  mails.refuse = {};
  room.setNow(room.deps.now() + MINUTE);
  await delivery.tick();
  expect(takenBy()).toEqual(['berta', 'carla', 'anna']);
});

test('a server that closes for now is asked once a minute for all recipients', async () => {
  const { room, mails } = of;
  mails.refuse = { recipient: [421, '4.3.2 shutting down'] };
  const { delivery } = startMailing(room, mails);
  const logins = mails.logins.length;
  await delivery.tick();
  await delivery.tick();
  expect(mails.logins).toHaveLength(logins + 1);
  mails.refuse = {};
  room.setNow(room.deps.now() + MINUTE);
  await delivery.tick();
  expect(takenBy()).toEqual(['anna', 'berta', 'carla']);
});

test.each([
  [530, '5.7.0 Authentication required'],
  [553, '5.7.1 Sender address rejected: not owned by user'],
])('a sender that is refused with %i loses no mail: what is wrong is a setting', async (code, says) => {
  const { room, mails } = of;
  mails.refuse = { sender: [code, says] };
  const { delivery } = startMailing(room, mails);
  const logins = mails.logins.length;
  await delivery.tick();
  await delivery.tick();
  expect(mails.logins).toHaveLength(logins + 1);
  mails.refuse = {};
  room.setNow(room.deps.now() + MINUTE);
  await delivery.tick();
  expect(takenBy()).toEqual(['anna', 'berta', 'carla']);
});

test('a mail that is too large for the server is given up', async () => {
  const { room, mails } = of;
  mails.refuse = { sender: [552, '5.3.4 Message size exceeds fixed limit'] };
  const { delivery } = startMailing(room, mails);
  await delivery.tick();
  expect(delivery.counts()).toContainEqual({ by: 'mail', outcome: 'given_up', count: 3 });
});
