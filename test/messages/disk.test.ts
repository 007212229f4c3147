// A disk that fills: what its operator gets, and how often.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskWatch } from '../../server/messages/watchDisk.ts';
import { OF_SERVER } from '../../server/storage/messages.ts';
import { header, type MailRoom, openMailRoom, startMailing } from '../support/mailing.ts';
import type { MailServer } from '../support/mailServer.ts';
import type { Newsroom } from '../support/newsroom.ts';
import type { WebhookReceiver } from '../support/webhookReceiver.ts';

const HOUR = 3_600_000;

let of: MailRoom;
let room: Newsroom;
let mails: MailServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  of = await openMailRoom();
  ({ room, mails, receiver } = of);
});
afterAll(() => of?.close());

const wait = (time: number) => room.setNow(room.deps.now() + time);

test('the operator gets a mail and a webhook message when the disk fills, once a day, and once more when it is full', async () => {
  const operator = { mail: ['ops@operator.example'], webhook: `${receiver.origin}/ops` };
  let free = 3 * 1024 ** 3;
  const { store, log, now } = room.deps;
  const watch = createDiskWatch({ store, log, now, host: 'machine-1', folder: '/data', freeBytes: async () => free });
  const look = async () => {
    await watch.tick();
    await startMailing(room, mails, { operator }).delivery.tick();
  };
  await look();
  expect(mails.taken).toEqual([]);
  free = 1.5 * 1024 ** 3;
  for (let hours = 0; hours < 3; hours++) {
    await look();
    wait(HOUR);
  }
  const says =
    'machine-1: the disk of /data fills, 1.5 GiB free. Make room: the database needs space to merge its files.';
  expect(mails.taken.map(({ to, text }) => [to[0], text.split('\n')[0]])).toEqual([['ops@operator.example', says]]);
  expect(header(mails.taken[0]!, 'list-unsubscribe')).toEqual([]);
  expect(receiver.arrived.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([['/ops', { text: says }]]);
  free = 1024 ** 2;
  await look();
  await look();
  expect(mails.taken).toHaveLength(2);
  wait(25 * HOUR);
  await look();
  expect(mails.taken).toHaveLength(3);
});

test('a message is about the disk of one machine and folder: each that fills has its own', async () => {
  const { store, log, now } = room.deps;
  wait(30 * HOUR);
  const since = now();
  const freeBytes = async () => 1.5 * 1024 ** 3;
  for (const [host, folder] of [
    ['machine-1', '/data'],
    ['machine-2', '/data'],
    ['machine-2', '/backup'],
    ['machine-2', '/data'],
  ] as const)
    await createDiskWatch({ store, log, now, host, folder, freeBytes }).tick();
  const raised = await store.messages.list(OF_SERVER, since);
  expect(raised.map(({ data }) => `${data.host} ${data.folder}`).sort()).toEqual([
    'machine-1 /data',
    'machine-2 /backup',
    'machine-2 /data',
  ]);
});

test('a full disk that is a little less full is no news of that day', async () => {
  const { store, log, now } = room.deps;
  wait(30 * HOUR);
  const since = now();
  let free = 1024 ** 2;
  const watch = createDiskWatch({ store, log, now, host: 'machine-1', folder: '/data', freeBytes: async () => free });
  await watch.tick();
  free = 1.5 * 1024 ** 3;
  wait(HOUR);
  await watch.tick();
  expect((await store.messages.list(OF_SERVER, since)).map(({ data }) => data.room)).toEqual(['full']);
  wait(24 * HOUR);
  await watch.tick();
  expect((await store.messages.list(OF_SERVER, since)).map(({ data }) => data.room)).toEqual(['full', 'tight']);
});

test('what was raised while the clock was a year ahead keeps nothing back when it is right again', async () => {
  const { store, log, now } = room.deps;
  wait(30 * HOUR);
  const since = now();
  const freeBytes = async () => 1024 ** 2;
  const watch = createDiskWatch({ store, log, now, host: 'machine-1', folder: '/data', freeBytes });
  room.setClockWrong(365 * 24 * HOUR);
  await watch.tick();
  room.setClockWrong(0);
  for (let look = 0; look < 3; look++) await watch.tick();
  const raised = await store.messages.list(OF_SERVER, since);
  expect(raised.map(({ at }) => at - since)).toEqual([0, 365 * 24 * HOUR]);
});
