// Mails about a site: what comes to whom, when, how often, and how its reader ends them.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ExperimentResult } from '../../server/contract/experiments.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import type { Experiment } from '../../server/experiments/experiment.ts';
import { type MailRecipient, TOPICS } from '../../server/sites/mail.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import {
  header,
  type MailingOptions,
  type MailRoom,
  openMailRoom,
  PASSWORD,
  PUBLIC_URL,
  startMailing,
} from '../support/mailing.ts';
import type { MailServer, TakenMail } from '../support/mailServer.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import type { WebhookReceiver } from '../support/webhookReceiver.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Tuesday. */
const NOW = Date.parse('2040-03-20T12:00:00Z');

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
  mails.refuse = {};
  receiver.arrived.length = 0;
  for (const { mail: _, webhook: __, ...site } of room.deps.sites.list()) await replaceSite(room.deps.sites, site);
  number += 1;
  room.setNow(NOW + number * 7 * DAY);
});

const wait = (time: number) => room.setNow(room.deps.now() + time);

const start = (options: MailingOptions = {}) => startMailing(room, mails, options);

async function siteWith(recipient: Partial<MailRecipient>, fields: Partial<Site> = {}): Promise<Site> {
  const site: Site = { ...room.site, id: parseSiteId(`paper-${number}.example`)!, ...fields };
  const to = { id: `recipient-${number}`, address: 'anna@reader.example', gets: TOPICS, morning: 7 * 60, since: 0 };
  await room.deps.sites.add({ ...site, mail: [{ ...to, ...recipient }] });
  return site;
}

/** An experiment that has just ended by itself. */
const endedNow = (says = 'b is better.'): Experiment => ({
  ...{ name: 'grid', slot: 'end', goal: 'clicks', readers: 100, state: 'stopped', variants: [], startedAt: 0 },
  ...{ stoppedAt: room.deps.now() - MINUTE, endedBy: 'decision' },
  result: { says: [says, 'Give b to all readers.'] } as unknown as ExperimentResult,
});

const linkIn = (mail: TakenMail): string => /<([^>]+)>/.exec(header(mail, 'list-unsubscribe')[0]!)![1]!;

test('the morning page comes once, at its time, as text and HTML, with links to the console', async () => {
  const site = await siteWith({ morning: 14 * 60 }, { timezone: 'Europe/Madrid' });
  const url = 'https://paper.example/ferry';
  const yesterday = room.deps.now() - DAY;
  await room.happen(...[1, 2, 3].map((at) => ({ site: site.id, url, time: yesterday + at * MINUTE })));
  await room.deps.library.write(site.id, url, { patch: { pageType: 'post', title: 'Ferry <b>late</b>' } });
  room.setNow(room.deps.now() - 30 * MINUTE);
  await start().tick();
  expect(mails.taken).toEqual([]);
  wait(HOUR);
  await start().tick();
  await start().tick();
  const [mail] = mails.taken;
  expect(mails.taken).toHaveLength(1);
  expect(mail).toMatchObject({ from: 'stats@sender.example', to: ['anna@reader.example'] });
  expect(header(mail!, 'subject')).toEqual([expect.stringMatching(/^paper-1\.example, Monday 2040-03-26: 3 views/)]);
  expect(mail!.text).toContain('Read most\n  3  Ferry <b>late</b>');
  expect(mail!.text).toContain(`${PUBLIC_URL}/console/site/${site.id}/?period=own&from=2040-03-26&to=2040-03-26`);
  expect(mail!.html).toContain(`<a href="${url}"`);
  expect(mail!.html).toContain('Ferry &lt;b&gt;late&lt;/b&gt;');
  expect(mail!.html).not.toMatch(/<script|<img|src=/);
  expect(mails.logins.at(-1)).toBe(`me:${PASSWORD}`);
});

test('copies that send at the same moment send one mail, and one message to a webhook', async () => {
  const webhook = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() };
  const alarms = { format: 'json', minimum: 60, since: 0 } as const;
  await siteWith({}, { webhook, alarms, experiments: [endedNow()] });
  const copies = [start(), start(), start()];
  await Promise.all(copies.map(({ tick }) => tick()));
  await Promise.all(copies.map(({ tick }) => tick()));
  expect(mails.taken.map((mail) => header(mail, 'subject')[0])).toEqual([
    `paper-${number}.example: The experiment grid has ended`,
  ]);
  expect(receiver.arrived).toHaveLength(1);
});

test('a reader unsubscribes with one click: GET only asks, POST ends the mails, and the operator sees it', async () => {
  const site = await siteWith({}, { experiments: [endedNow()] });
  await start().tick();
  const [mail] = mails.taken;
  expect(header(mail!, 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
  const link = linkIn(mail!);
  expect(mail!.text).toContain(`Unsubscribe: ${link}`);
  const recipient = () => room.deps.sites.find(site.id)!.mail![0]!;
  const asked = await room.app.request(link);
  const page = await asked.text();
  expect(asked.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).toContain('<form method="post">');
  expect(page).toContain('a…@reader.example');
  expect(page).not.toContain('anna@');
  expect(recipient().unsubscribedAt).toBeUndefined();

  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  for (let click = 0; click < 2; click++) {
    const ended = await room.app.request(link, oneClick);
    expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining('Unsubscribed')]);
  }
  expect(recipient().unsubscribedAt).toBe(room.deps.now());
  await replaceSite(room.deps.sites, {
    ...room.deps.sites.find(site.id)!,
    experiments: [{ ...endedNow(), name: 'next' }],
  });
  await start().tick();
  expect(mails.taken).toHaveLength(1);
});

test('a link that was guessed, forged or made for another site ends no mails, and does not say who is a recipient', async () => {
  const site = await siteWith({});
  const other = { ...room.site, id: parseSiteId(`other-${number}.example`)! };
  await room.deps.sites.add({ ...other, mail: site.mail ?? room.deps.sites.find(site.id)!.mail! });
  const real = await room.deps.unsubscribing!.linkFor(site.id, `recipient-${number}`);
  const changed = (name: string, value: string): string => {
    const url = new URL(real, PUBLIC_URL);
    url.searchParams.set(name, value);
    return url.href;
  };
  const links = [
    changed('site', other.id),
    changed('site', 'nobody.example'),
    changed('recipient', 'recipient-0'),
    changed('signature', ''),
    changed('signature', 'A'.repeat(43)),
    changed('signature', new URL(real, PUBLIC_URL).searchParams.get('signature')!.slice(0, -1)),
    `${PUBLIC_URL}/unsubscribe`,
  ];
  const answers = await Promise.all(
    links.map(async (link) => {
      const answer = await room.app.request(link, { method: 'POST' });
      return `${answer.status} ${await answer.text()}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^404 /);
  for (const { mail = [] } of [room.deps.sites.find(site.id)!, room.deps.sites.find(other.id)!])
    expect(mail.map(({ unsubscribedAt }) => unsubscribedAt)).toEqual([undefined]);
});

test('texts from outside begin no header and no other recipient, run nothing and link nowhere but to the web', async () => {
  const evil =
    'x\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>\u2028\u0000 <a href="javascript:alert(1)">é</a>';
  const site = await siteWith({ morning: 12 * 60 }, { experiments: [{ ...endedNow(evil), name: evil }] });
  const url = 'https://paper.example/evil';
  const time = room.deps.now() - DAY;
  await room.happen(
    { site: site.id, url, time, referrer: 'https://evil.example/' },
    { site: site.id, url: 'javascript:alert(1)', time },
  );
  await room.deps.library.write(site.id, url, { patch: { pageType: 'post', title: evil, section: evil } });
  await start().tick();
  expect(mails.taken).toHaveLength(2);
  for (const { to, headers, html, raw, text } of mails.taken) {
    expect(to).toEqual(['anna@reader.example']);
    expect([...headers.keys()].filter((name) => ['bcc', 'cc'].includes(name))).toEqual([]);
    expect(headers.get('subject')).toHaveLength(1);
    expect(headers.get('to')).toEqual(['anna@reader.example']);
    expect(raw.split('\r\n\r\n')[0]).not.toContain('evil@');
    expect(html).not.toMatch(/<script|href="javascript:|\son\w+=/i);
    expect(text).toContain('alert(1)');
  }
});

test('in quiet hours mails are held back; after them comes what is still news', async () => {
  const quiet = { from: 11 * 60, to: 20 * 60 };
  const site = await siteWith({ quiet, gets: ['alarms', 'experiments'] }, { experiments: [endedNow()] });
  const at = room.deps.now();
  const spike = { site: site.id, id: 'msg_spike', kind: 'alarm.spike', at, text: 'a spike', until: at + 6 * HOUR };
  await room.deps.store.messages.save({
    ...spike,
    data: { views: 1, expected: 1, usual: { median: 1, low: 1, high: 1 } },
  });
  await start().tick();
  wait(7 * HOUR);
  await start().tick();
  expect(mails.taken).toEqual([]);
  wait(HOUR);
  await start().tick();
  expect(mails.taken.map((mail) => header(mail, 'subject')[0])).toEqual([`${site.id}: The experiment grid has ended`]);
});

test('each gets what it wants: no mail of another kind, of another site, or from before', async () => {
  await siteWith({ gets: ['alarms'] }, { experiments: [endedNow()] });
  await siteWith({ since: room.deps.now() }, { id: parseSiteId(`late-${number}.example`)!, experiments: [endedNow()] });
  await start().tick();
  expect(mails.taken).toEqual([]);
});

test('a server that does not take a mail now is asked again after pauses that double, also after a restart', async () => {
  await siteWith({}, { experiments: [endedNow()] });
  mails.refuse = { data: [451, 'try again later'] };
  const begun = room.deps.now();
  const times: number[] = [];
  for (const refusals: number[] = []; refusals.length < 10; refusals.push(0)) {
    const before = mails.logins.length;
    await start().tick();
    if (mails.logins.length > before) times.push((room.deps.now() - begun) / MINUTE);
    wait(MINUTE);
  }
  expect(times).toEqual([0, 1, 3, 7]);
  mails.refuse = {};
  wait(6 * MINUTE);
  await start().tick();
  expect(mails.taken).toHaveLength(1);
});

test('an address that is refused for good is given up; a refused login is not, and no line of the log has a credential', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  await siteWith({}, { experiments: [endedNow()] });
  const plain = Buffer.from(`\0me\0${PASSWORD}`).toString('base64');
  mails.refuse = { login: [535, `5.7.8 no: ${PASSWORD} ${Buffer.from(PASSWORD).toString('base64')} ${plain}`] };
  const one = start({ log });
  await one.tick();
  await one.tick();
  mails.refuse = { recipient: [550, 'no such user here'] };
  wait(2 * MINUTE);
  await one.tick();
  wait(DAY);
  await start({ log }).tick();
  const said = lines.map((line) => JSON.parse(line)).filter(({ why }) => why);
  expect(said).toMatchObject([
    { level: 40, why: expect.stringContaining('535') },
    { level: 50, why: expect.stringContaining('no such user here') },
  ]);
  for (const secret of [PASSWORD, Buffer.from(PASSWORD).toString('base64'), plain])
    expect(lines.join()).not.toContain(secret);
  expect(one.delivery.counts()).toContainEqual({ by: 'mail', outcome: 'given_up', count: 1 });
});

test.each([
  ['json', 1],
  ['slack', 0],
] as const)(
  'what was sent when the process ended is not mailed twice; a webhook that takes %s gets it %i times again',
  async (format, times) => {
    const webhook = { url: `${receiver.origin}/hook`, secret: createWebhookSecret() };
    const alarms = { format, minimum: 60, since: 0 } as const;
    const site = await siteWith({}, { webhook, alarms });
    const at = room.deps.now();
    const message = { site: site.id, id: 'msg_killed', kind: 'experiment.ended', at, text: 'ended', until: at + DAY };
    const { messages } = room.deps.store;
    await messages.save({ ...message, data: { experiment: 'grid' } });
    const attempt = { site: site.id, message: message.id, attempt: 1, claimant: 'killed', at, endedAt: 0 };
    for (const receiver of ['webhook', `mail recipient-${number}`])
      await messages.claim({ ...attempt, receiver, outcome: 'claimed', why: '' });
    await start().tick();
    expect([mails.taken.length, receiver.arrived.length]).toEqual([0, 0]);
    wait(6 * MINUTE);
    await start().tick();
    await start().tick();
    expect([mails.taken.length, receiver.arrived.length]).toEqual([0, times]);
    for (const { headers } of receiver.arrived) expect(headers['webhook-id']).toBe('msg_killed');
  },
);

test('a mail whose link could not be made, because the database was away, is sent when it is back', async () => {
  await siteWith({ gets: ['experiments'] }, { experiments: [endedNow()] });
  const { keys } = room.deps.store;
  const { agree } = keys;
  const mailing = start();
  keys.agree = () => Promise.reject(new StoreUnavailableError('The database does not answer.'));
  await expect(mailing.tick()).rejects.toThrow('Messages were not sent: 1 failures.');
  keys.agree = agree;
  await mailing.tick();
  expect(mails.taken).toHaveLength(1);
});
