// A receiver that does not answer, and a site whose messages cannot be read: other sites get theirs all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnnouncer } from '../../server/messages/announceWinners.ts';
import { ownOf } from '../../server/posts/alternatives.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { loopbackRules } from '../crawl/support.ts';
import { type MailRoom, openMailRoom, startMailing } from '../support/mailing.ts';
import { until } from '../support/until.ts';
import { openReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

const HOUR = 3_600_000;
const ANSWER = { status: 204, headers: {} };

let mailing: MailRoom;
let slow: WebhookReceiver;
beforeAll(async () => {
  mailing = await openMailRoom();
  slow = await openReceiver();
});
afterAll(async () => {
  slow.close();
  await mailing.close();
});

async function siteSending(name: string, { origin }: WebhookReceiver, how: Partial<Site> = {}): Promise<Site> {
  const { deps, site } = mailing.room;
  const webhook = { url: `${origin}/${name}`, secret: createWebhookSecret() };
  const own: Site = { ...site, id: parseSiteId(`${name}.example`)!, webhook, ...how };
  await deps.sites.add(own);
  return own;
}

test('a webhook that does not answer holds up neither the webhooks nor the mails of other sites', async () => {
  const { room, mails, receiver } = mailing;
  const alarms = { format: 'json', minimum: 60, since: 0 } as const;
  const reader = {
    id: 'recipient-1',
    address: 'anna@example.com',
    gets: ['experiments'],
    morning: 420,
    since: 0,
  } as const;
  const sites = [
    await siteSending('a-slow', slow, { alarms }),
    await siteSending('b-quick', receiver, { alarms }),
    await siteSending('c-mail', receiver, { mail: [reader] }),
  ];
  const at = room.deps.now();
  const ended = { id: 'msg_ended', kind: 'experiment.ended', text: 'It ended.', data: {}, at, until: at + HOUR };
  for (const { id } of sites) await room.deps.store.messages.save({ ...ended, site: id });
  const others = () => receiver.arrived.length + mails.taken.length;
  slow.answer = { ...ANSWER, after: until('the others have got theirs', () => others() === 2) };
  const { delivery } = startMailing(room, mails);
  await delivery.tick();
  expect(slow.arrived.map(({ path }) => path)).toEqual(['/a-slow']);
  expect(delivery.counts().filter(({ count }) => count > 0)).toEqual([
    { by: 'webhook', outcome: 'taken', count: 2 },
    { by: 'mail', outcome: 'taken', count: 1 },
  ]);
});

test('a site whose tests cannot be read is an error, once the winners of other sites are sent', async () => {
  const { room, receiver } = mailing;
  receiver.arrived.length = 0;
  slow.answer = ANSWER;
  const { deps } = room;
  for (const { id } of [await siteSending('d-broken', slow), await siteSending('e-whole', receiver)]) {
    const url = `https://${id}/won`;
    await deps.library.write(id, url, { patch: { title: 'Own', alternatives: [{ title: 'Second' }] } });
    const [post] = await deps.store.posts.get(id, [url]);
    const end = { at: deps.now(), winner: 2, own: ownOf(post!) };
    await deps.library.write(id, url, { patch: { title: 'Second', alternatives: { ...post!.alternatives!, end } } });
  }
  const { posts } = deps.store;
  const { tested } = posts;
  posts.tested = async (site, ...how) => {
    if (site === 'd-broken.example') throw new Error('The tests of this site cannot be read.');
    return await tested.call(posts, site, ...how);
  };
  const announcer = createAnnouncer({ ...deps, rules: loopbackRules });
  receiver.answer = { ...ANSWER, status: 503 };
  await expect(announcer.tick()).rejects.toThrow('Winners of 1 sites were not sent.');
  expect(receiver.arrived.map(({ path }) => path)).toEqual(['/e-whole']);
  expect(announcer.waiting()).toBe(1);
  posts.tested = tested;
});
