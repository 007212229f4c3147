// Winners of headline tests as sentences, by mail and to Slack.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAnnouncer } from '../../server/messages/announceWinners.ts';
import { TOPICS } from '../../server/sites/mail.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { loopbackRules } from '../crawl/support.ts';
import { header, type MailRoom, openMailRoom, startMailing } from '../support/mailing.ts';
import type { MailServer } from '../support/mailServer.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import type { WebhookReceiver } from '../support/webhookReceiver.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let of: MailRoom;
let room: Newsroom;
let mails: MailServer;
let receiver: WebhookReceiver;
let number = 0;

beforeAll(async () => {
  of = await openMailRoom();
  ({ room, mails, receiver } = of);
});
afterAll(() => of?.close());
beforeEach(async () => {
  mails.taken.length = 0;
  receiver.arrived.length = 0;
  for (const { mail: _, webhook: __, ...site } of room.deps.sites.list()) await replaceSite(room.deps.sites, site);
});

const wait = (time: number) => room.setNow(room.deps.now() + time);

/** @param since From when on a recipient gets mails; epoch milliseconds. */
async function siteWith(since: number, fields: Partial<Site> = {}): Promise<Site> {
  number += 1;
  const site: Site = { ...room.site, id: parseSiteId(`paper-${number}.example`)!, ...fields };
  const to = { id: `recipient-${number}`, address: 'anna@reader.example', gets: TOPICS, morning: 7 * 60, since };
  await room.deps.sites.add({ ...site, mail: [to] });
  return site;
}

test('the winner of a headline test comes once by mail, and to Slack as a sentence', async () => {
  const webhook = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() };
  const site = await siteWith(0, { webhook, alarms: { format: 'slack', minimum: 60, since: 0 } });
  const url = 'https://paper.example/ferry';
  const own = { title: 'The ferry', imageUrl: '', thumbUrl: '' };
  await room.deps.library.write(site.id, url, {
    patch: { pageType: 'post', ...own, alternatives: [{ title: 'Ferry <b>late</b>' }, { title: 'Third' }] },
  });
  await startMailing(room, mails).tick();
  expect([mails.taken, receiver.arrived]).toEqual([[], []]);
  const [post] = await room.deps.store.posts.get(site.id, [url]);
  const end = { at: room.deps.now(), winner: 2, own };
  const alternatives = { ...post!.alternatives!, shares: [0.01, 0.98, 0.01], end };
  await room.deps.library.write(site.id, url, { patch: { title: 'Ferry <b>late</b>', alternatives } });
  wait(MINUTE);
  const announcer = createAnnouncer({ ...room.deps, rules: loopbackRules });
  for (let time = 0; time < 2; time++) {
    await startMailing(room, mails).tick();
    await announcer.tick();
    wait(MINUTE);
  }
  const says =
    'readers have chosen “Ferry <b>late</b>” for https://paper.example/ferry, over 2 others. It has this title everywhere now.';
  expect(mails.taken.map((mail) => header(mail, 'subject')[0])).toEqual([
    `${site.id}: Readers have chosen: Ferry <b>late</b>`,
  ]);
  expect(mails.taken[0]!.text).toContain(says);
  expect(mails.taken[0]!.html).not.toContain('<b>late</b>');
  expect(receiver.arrived.map(({ body }) => JSON.parse(body))).toEqual([
    { text: `${site.id}: ${says.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}` },
  ]);
});

test('a winner before the recipient was added, and one that was stopped, are no mail', async () => {
  const site = await siteWith(room.deps.now());
  const own = { title: 'Own', imageUrl: '', thumbUrl: '' };
  for (const [name, end] of Object.entries({
    earlier: { at: room.deps.now() - HOUR, winner: 2, own },
    stopped: { at: room.deps.now() + MINUTE, own },
  })) {
    const url = `https://paper.example/${name}`;
    await room.deps.library.write(site.id, url, { patch: { ...own, alternatives: [{ title: 'Second' }] } });
    const [post] = await room.deps.store.posts.get(site.id, [url]);
    await room.deps.library.write(site.id, url, { patch: { alternatives: { ...post!.alternatives!, end } } });
  }
  wait(2 * MINUTE);
  await startMailing(room, mails).tick();
  expect(mails.taken).toEqual([]);
});
