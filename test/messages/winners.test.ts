// Winners of headline tests, sent to the webhook of their site: what arrives, how often, and where nothing is sent.
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isPublicAddress } from '../../server/crawl/address.ts';
import type { FetchRules } from '../../server/crawl/fetchPage.ts';
import { createAnnouncer } from '../../server/messages/announceWinners.ts';
import { ownOf } from '../../server/posts/alternatives.ts';
import { compareAlternatives } from '../../server/rankings/compareAlternatives.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { loopbackRules } from '../crawl/support.ts';
import { headlineReaders } from '../support/headlineReaders.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { type Arrived, openReceiver, signatureOf, type WebhookReceiver } from '../support/webhookReceiver.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const secret = createWebhookSecret();
let receiver: WebhookReceiver;
let arrived: Arrived[];
let room: Newsroom;
let origin: string;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  receiver = await openReceiver();
  ({ origin, arrived } = receiver);
  await sendTo(`${origin}/hook`);
});
afterAll(async () => {
  receiver.close();
  await room.close();
});
beforeEach(() => {
  arrived.length = 0;
  receiver.answer = { status: 204, headers: {} };
  // What an earlier test has left is beyond three days by then.
  room.setNow(room.deps.now() + 4 * DAY);
});

const sendTo = (url: string) => replaceSite(room.deps.sites, { ...room.site, webhook: { url, secret } });

/** A start of the server: nothing is known but what is stored. */
function start({ rules = loopbackRules, log = room.deps.log }: { rules?: FetchRules; log?: Logger } = {}) {
  return createAnnouncer({ ...room.deps, rules, log });
}

let posts = 0;
async function newTest(): Promise<string> {
  posts += 1;
  const url = `https://paper.example/${posts}`;
  await room.write(url, {
    title: 'Own',
    imageUrl: 'https://paper.example/own.jpg',
    alternatives: [{ title: 'Second' }],
  });
  return url;
}

const stored = async (url: string) => (await room.deps.store.posts.get(room.site.id, [url]))[0]!;

/** A test whose second title has won. */
async function wonTest(): Promise<string> {
  const url = await newTest();
  const post = await stored(url);
  const end = { at: room.deps.now(), winner: 2, own: ownOf(post) };
  await room.write(url, { title: 'Second', alternatives: { ...post.alternatives!, shares: [0.03, 0.97], end } });
  return url;
}

const wait = (time: number) => room.setNow(room.deps.now() + time);

const countsOf = (announcer: ReturnType<typeof start>) =>
  Object.fromEntries(announcer.counts().map(({ outcome, count }) => [outcome, count]));

test('a title that readers chose is sent once, signed, whatever is restarted', async () => {
  const url = await newTest();
  const readers = { post: url, shown: 600, time: room.deps.now() };
  await room.happen(...headlineReaders({ ...readers, alternative: 1, quality: 6 }));
  await room.happen(...headlineReaders({ ...readers, alternative: 2, quality: 60 }));
  wait(60 * MINUTE);
  await compareAlternatives(room.deps);
  const announcer = start();
  await announcer.tick();

  expect(arrived.map(({ path }) => path)).toEqual(['/hook']);
  const { headers, body } = arrived[0]!;
  const ended = new Date(room.deps.now()).toISOString();
  expect(JSON.parse(body)).toMatchObject({
    type: 'headline.won',
    timestamp: ended,
    data: {
      apikey: 'paper.example',
      url,
      title: 'Second',
      image_url: 'https://paper.example/own.jpg',
      state: 'won',
      winner: 2,
      ended,
      alternatives: [{ title: 'Own' }, { title: 'Second' }],
    },
  });
  expect(headers['webhook-signature']).toBe(signatureOf(arrived[0]!, secret));
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(room.deps.now() / 1000)));
  expect(headers['content-type']).toBe('application/json');
  expect((await stored(url)).alternatives?.end?.announcedAt).toBe(room.deps.now());

  await announcer.tick();
  wait(DAY);
  await start().tick();
  await sendTo(`${origin}/hook`);
  await start().tick();
  expect(arrived).toHaveLength(1);
  expect(countsOf(announcer)).toEqual({ taken: 1, failed: 0, given_up: 0 });
});

test('what a receiver refuses comes again after pauses that double, under the same id', async () => {
  await wonTest();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const announcer = start({ log });
  receiver.answer = { status: 503, headers: {} };
  const begun = room.deps.now();
  const times: number[] = [];
  while (room.deps.now() < begun + 8 * MINUTE) {
    const before = arrived.length;
    await announcer.tick();
    if (arrived.length > before) times.push((room.deps.now() - begun) / MINUTE);
    wait(MINUTE / 2);
  }
  expect(times).toEqual([0, 1, 3, 7]);
  expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(announcer.waiting()).toBe(1);
  expect(lines.at(-1)).toMatchObject({ level: 40, site: 'paper.example', attempts: 4, why: 'status 503' });
  receiver.answer = { status: 200, headers: {} };
  wait(8 * MINUTE);
  await announcer.tick();
  expect(countsOf(announcer)).toEqual({ taken: 1, failed: 4, given_up: 0 });
  expect(announcer.waiting()).toBe(0);
});

test('after three days it is given up, and the log says so', async () => {
  await wonTest();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const announcer = start({ log });
  receiver.answer = { status: 410, headers: {} };
  for (let hours = 0; hours < 80; hours++) {
    await announcer.tick();
    expect(announcer.waiting()).toBe(countsOf(announcer).given_up === 0 ? 1 : 0);
    wait(60 * MINUTE);
  }
  const attempts = arrived.length;
  expect(attempts).toBeLessThan(25);
  expect(lines).toMatchObject([{ level: 50, why: 'status 410', msg: expect.stringContaining('given up') }]);
  expect(countsOf(announcer)).toEqual({ taken: 0, failed: attempts - 1, given_up: 1 });
  await start().tick();
  expect(arrived).toHaveLength(attempts);
});

test('a redirect is not followed', async () => {
  await wonTest();
  receiver.answer = { status: 307, headers: { Location: `${origin}/elsewhere` } };
  await start().tick();
  expect(arrived.map(({ path }) => path)).toEqual(['/hook']);
});

test.each([
  ['an address of this machine', () => origin, 'is not an address of the public internet'],
  ['a name that leads to one', () => origin.replace('127.0.0.1', 'hooks.example'), 'is not an address of the public'],
  ['cloud metadata', () => 'http://169.254.169.254/latest/', 'is not an address of the public internet'],
  ['an odd port', () => 'http://hooks.example:6379/', 'only ports 80 and 443 are asked'],
])('nothing is sent to %s', async (what, url, why) => {
  await wonTest();
  await sendTo(url());
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const rules = { ...loopbackRules, allows: isPublicAddress, anyPort: what !== 'an odd port' };
  await start({ rules, log }).tick();
  expect(arrived).toEqual([]);
  expect(lines).toMatchObject([{ why: expect.stringContaining(why) }]);
  await sendTo(`${origin}/hook`);
});

test('a title that an editor gives while the winner is sent stays the one that counts', async () => {
  const url = await wonTest();
  await room.write(url, {
    alternatives: { ...(await stored(url)).alternatives!, replaced: [{ title: 'Own' }] },
  });
  const { library } = room.deps;
  // The receiver takes its time: meanwhile the post is given a third title.
  const slow: typeof library = {
    ...library,
    async write(...words) {
      await room.write(url, { title: 'Third' });
      return await library.write(...words);
    },
  };
  await createAnnouncer({ ...room.deps, library: slow, rules: loopbackRules }).tick();
  expect((await stored(url)).alternatives).toMatchObject({ end: { announcedAt: room.deps.now() } });
  await room.write(url, { title: 'Own' });
  expect((await stored(url)).title).toBe('Own');
});

test('a test that was stopped, or a site without a webhook, sends nothing', async () => {
  const stopped = await newTest();
  await room.write(stopped, { alternatives: [] });
  await start().tick();
  await wonTest();
  await replaceSite(room.deps.sites, room.site);
  await start().tick();
  expect(arrived).toEqual([]);
  await sendTo(`${origin}/hook`);
});
